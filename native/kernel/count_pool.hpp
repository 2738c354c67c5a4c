// Count pairs of texts of a pool, whose texts are encoded once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/bits.hpp"
#include "base/buffer.hpp"
#include "base/poll.hpp"
#include "counts/ids.hpp"
#include "counts/short_overlap.hpp"
#include "kernel/count_rouge.hpp"
#include "kernel/samples.hpp"
#include "kernel/sources.hpp"

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
    encoded.add<NewWords::kInsert>(ids_, texts_, pairs_.row(row), wants_sentences, poll_);
  }

  void add_reference(std::size_t pair, bool wants_sentences, NewWords new_words,
                     Encoded& encoded) {
    const std::size_t text = pairs_.column(pair);
    if (new_words == NewWords::kInsert) {
      encoded.add<NewWords::kInsert>(ids_, texts_, text, wants_sentences, poll_);
    } else {
      encoded.add<NewWords::kUnknown>(ids_, texts_, text, wants_sentences, poll_);
    }
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
  /// The arguments are those of RougeCounter.
  PoolCounter(const PoolTexts& pool, const PoolPairs& pairs, const RougeColumns& columns,
              std::span<std::int64_t> counts, std::span<double> weighted, Poll& poll)
      : texts_(pool.texts),
        pairs_(pairs),
        columns_(columns),
        counts_(counts),
        poll_(poll),
        counter_(PoolSource(pool, pairs, poll), pairs.bounds, columns, counts, weighted, poll) {
    const std::size_t plain = columns.orders.size() + (columns.lcs ? 1 : 0);
    is_plain_ = !columns.once && columns.values.empty() && plain == columns.size();
    if (is_plain_) masks_.assign(pool.distinct + 1, 0);
  }

  /// Counts a row of other pairs; the outputs are as for the constructor.
  void count_row(const PoolPairs& pairs, std::span<std::int64_t> counts) {
    pairs_ = pairs;
    counts_ = counts;
    if (fits(0)) return count_plain(0);
    counter_.count_pair(pairs.rows, pairs.columns, pairs.bounds, counts, {});
  }

  void count(std::size_t row) {
    if (fits(row)) return count_plain(row);
    counter_.count(row);
  }

 private:
  bool fits(std::size_t row) const {
    return is_plain_ && ShortPrediction::fits(texts_.tokens(pairs_.row(row)).size(), 0);
  }

  // Fast path: equals RougeCounter, which renumbers the ids of each pair. A pair of instructions of
  // 13 tokens takes 20 ns instead of 29.
  void count_plain(std::size_t row) {
    const Ids prediction = texts_.tokens(pairs_.row(row));
    set_positions(prediction, masks_.data());
    const std::size_t orders = columns_.orders.empty() ? 0 : columns_.orders.back();
    Matched matched;
    const auto first = static_cast<std::size_t>(pairs_.bounds[row]);
    const auto stop = static_cast<std::size_t>(pairs_.bounds[row + 1]);
    std::int64_t* out = counts_.data() + first * columns_.size() * 3;
    for (std::size_t pair = first; pair < stop; ++pair) {
      const Ids tokens = texts_.tokens(pairs_.column(pair));
      poll_.did(tokens.size() + 1);
      const auto lcs = columns_.lcs
                           ? match_short<true>(masks_.data(), tokens, orders, matched, poll_)
                           : match_short<false>(masks_.data(), tokens, orders, matched, poll_);
      for (const std::size_t order : columns_.orders) {
        *out++ = count_ones(matched[order - 1]);
        *out++ = count_ngrams(prediction.size(), order);
        *out++ = count_ngrams(tokens.size(), order);
      }
      if (columns_.lcs) {
        *out++ = static_cast<std::int64_t>(lcs);
        *out++ = static_cast<std::int64_t>(prediction.size());
        *out++ = static_cast<std::int64_t>(tokens.size());
      }
    }
    for (const Id id : prediction) masks_[id] = 0;
  }

  const Encoded& texts_;
  PoolPairs pairs_;
  const RougeColumns& columns_;
  std::span<std::int64_t> counts_;
  Poll& poll_;
  RougeCounter<PoolSource> counter_;
  Buffer<std::uint64_t> masks_;  // by id; all 0 between two rows
  bool is_plain_ = false;
};

}  // namespace bleu_rouge
