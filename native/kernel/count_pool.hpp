// Count pairs of texts of a pool, whose texts are encoded once.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/bits.hpp"
#include "base/buffer.hpp"
#include "base/poll.hpp"
#include "counts/ids.hpp"
#include "counts/short_overlap.hpp"
#include "kernel/counter.hpp"
#include "kernel/samples.hpp"

namespace bleu_rouge {

/// Encoded texts, with the largest id of all.
struct PoolTexts {
  const Encoded& texts;
  std::size_t distinct;
};

/// Indices of texts of a pool: row r pairs rows[r] with columns[bounds[r]] to
/// columns[bounds[r + 1]].
struct PoolPairs {
  std::span<const std::int64_t> rows;
  Bounds bounds;
  std::span<const std::int64_t> columns;

  std::size_t row(std::size_t index) const { return static_cast<std::size_t>(rows[index]); }
  std::size_t column(std::size_t pair) const { return static_cast<std::size_t>(columns[pair]); }

  /// The first pair of a row.
  std::size_t first(std::size_t index) const { return static_cast<std::size_t>(bounds[index]); }

  std::span<const std::int64_t> columns_of(std::size_t index) const {
    return columns.subspan(first(index), first(index + 1) - first(index));
  }
};

/// Reads the texts of a pool; a sample is a row of pairs.
class PoolSource {
 public:
  using Column = std::span<const std::int64_t>;

  PoolSource(const PoolTexts& pool, const PoolPairs& pairs, Poll& poll)
      : texts_(pool.texts), pairs_(pairs), ids_(pool.distinct), poll_(poll) {}

  /// Reads other texts from now on.
  void assign(Column rows, Column columns) {
    pairs_.rows = rows;
    pairs_.columns = columns;
  }

  /// The largest id of the sample.
  std::size_t distinct() const { return ids_.size(); }

  /// Starts a new sample with its prediction.
  void add_prediction(std::size_t row, bool wants_sentences, Encoded& encoded) {
    ids_.clear();
    encoded.add(ids_, texts_, pairs_.row(row), wants_sentences, NewWords::kInsert, poll_);
  }

  void add_reference(std::size_t pair, bool wants_sentences, NewWords new_words,
                     Encoded& encoded) {
    encoded.add(ids_, texts_, pairs_.column(pair), wants_sentences, new_words, poll_);
  }

 private:
  const Encoded& texts_;
  PoolPairs pairs_;
  Renumbering ids_;
  Poll& poll_;
};

/// Hits, total of the prediction and total of the reference, for each pair and column.
class PoolCounter {
 public:
  /// The arguments are those of Counter.
  PoolCounter(const PoolTexts& pool, const PoolPairs& pairs, const CountPlan& columns,
              std::span<std::int64_t> counts, std::span<double> weighted, Poll& poll)
      : texts_(pool.texts),
        distinct_(pool.distinct),
        pairs_(pairs),
        columns_(columns),
        counts_(counts),
        poll_(poll),
        counter_(PoolSource(pool, pairs, poll), pairs.bounds, columns, counts, weighted, poll) {
    const std::size_t plain = columns.orders.size() + (columns.lcs ? 1 : 0);
    is_plain_ = !columns.once && !columns.clipped && columns.values.empty() && plain == columns.size();
  }

  /// How many groups of rows there are, which are counted one after the other.
  static std::size_t count_groups(std::size_t rows) {
    return rows / kLanes<Lanes> + (rows % kLanes<Lanes> > 0 ? 1 : 0);
  }

  /// Counts a row of other pairs; the outputs are as for the constructor.
  void count_row(const PoolPairs& pairs, std::span<std::int64_t> counts) {
    pairs_ = pairs;
    counts_ = counts;
    if (fits(0)) return count_plain(0, 1, masks_);
    counter_.count_pair(pairs.rows, pairs.columns, pairs.bounds, counts, {});
  }

  void count(std::size_t group) {
    const std::size_t first = group * kLanes<Lanes>;
    const std::size_t stop = std::min(first + kLanes<Lanes>, pairs_.rows.size());
    if (stop - first > 1 && fit_together(first, stop)) {
      return count_plain(first, stop, lane_masks_);
    }
    for (std::size_t row = first; row < stop; ++row) {
      if (fits(row)) {
        count_plain(row, row + 1, masks_);
      } else {
        counter_.count(row);
      }
    }
  }

 private:
  bool fits(std::size_t row) const {
    return is_plain_ && ShortPrediction<std::uint64_t>::fits(texts_.tokens(pairs_.row(row)).size(), 0);
  }

  /// Whether all rows fit and have the same columns, as those of a matrix.
  bool fit_together(std::size_t first, std::size_t stop) const {
    const auto columns = pairs_.columns_of(first);
    for (std::size_t row = first; row < stop; ++row) {
      if (!fits(row) || !std::ranges::equal(pairs_.columns_of(row), columns)) return false;
    }
    return true;
  }

  // Fast path: equals Counter, which renumbers the ids of each pair. A pair of instructions of
  // 13 tokens takes 9 ns instead of 29; 18 if the rows are counted one after the other.
  template <class Word>
  void count_plain(std::size_t first, std::size_t stop, Buffer<Word>& masks) {
    if (masks.empty()) masks.assign(distinct_ + 1, Word{});
    std::array<std::int64_t*, kLanes<Word>> out{};
    for (std::size_t row = first; row < stop; ++row) {
      set_positions(texts_.tokens(pairs_.row(row)), masks.data(), row - first);
      out[row - first] = counts_.data() + pairs_.first(row) * columns_.size() * 3;
    }
    const std::size_t orders =
        columns_.orders.empty() ? 0 : std::min(columns_.orders.back(), kShortOrders);
    MatchedOf<Word> matched;
    for (const std::int64_t column : pairs_.columns_of(first)) {
      const Ids tokens = texts_.tokens(static_cast<std::size_t>(column));
      poll_.did(tokens.size() + 1);
      const Word lcs = columns_.lcs
                           ? match_short<true>(masks.data(), tokens, orders, matched, poll_)
                           : match_short<false>(masks.data(), tokens, orders, matched, poll_);
      for (std::size_t row = first; row < stop; ++row) {
        const std::size_t length = texts_.tokens(pairs_.row(row)).size();
        std::int64_t*& place = out[row - first];
        for (const std::size_t order : columns_.orders) {
          *place++ = order <= orders ? count_ones(lane_of(matched[order - 1], row - first)) : 0;
          *place++ = count_ngrams(length, order);
          *place++ = count_ngrams(tokens.size(), order);
        }
        if (columns_.lcs) {
          *place++ = count_ones(lane_of(lcs, row - first));
          *place++ = static_cast<std::int64_t>(length);
          *place++ = static_cast<std::int64_t>(tokens.size());
        }
      }
    }
    for (std::size_t row = first; row < stop; ++row) {
      for (const Id id : texts_.tokens(pairs_.row(row))) masks[id] = Word{};
    }
  }

  const Encoded& texts_;
  std::size_t distinct_;
  PoolPairs pairs_;
  const CountPlan& columns_;
  std::span<std::int64_t> counts_;
  Poll& poll_;
  Counter<PoolSource> counter_;
  // By id; all 0 between two rows. Memory is taken when it is first needed.
  Buffer<std::uint64_t> masks_;
  Buffer<Lanes> lane_masks_;
  bool is_plain_ = false;
};

}  // namespace bleu_rouge
