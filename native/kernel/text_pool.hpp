// A pool of texts as Python sees it: texts are added once, and then pairs of them are counted.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "base/bits.hpp"
#include "base/poll.hpp"
#include "base/threads.hpp"
#include "kernel/calls.hpp"
#include "kernel/columns.hpp"
#include "kernel/count_pool.hpp"
#include "kernel/gil.hpp"
#include "kernel/nearest.hpp"
#include "kernel/samples.hpp"
#include "text/encoder.hpp"

namespace bleu_rouge {

/// How many threads may help to count pairs of texts of average length.
inline std::size_t limit_threads(std::size_t most, std::size_t pairs, const Encoded& texts) {
  // Each token of one text takes a step per word of the bits of the other, about as long as a byte
  // of text takes to be read.
  const std::size_t tokens = texts.all_tokens().size() / std::max<std::size_t>(texts.size(), 1) + 1;
  return std::min(most, pairs * tokens * words_for(tokens) / kLeastPerThread);
}

/// Encoded texts, in all of which a token has the same id. Threads may share a pool.
class TextPool {
 public:
  /// `tokenization`: null if all texts are token ids.
  TextPool(const Tokenization* tokenization, bool has_sentences)
      : encoder_(tokenization != nullptr ? *tokenization : Tokenization{Tokenizer::kWhitespace},
                 poll_),
        has_sentences_(has_sentences) {
    encoded_.clear();
  }
  TextPool(const TextPool&) = delete;
  TextPool& operator=(const TextPool&) = delete;

  /// Adds texts, which are tokenized. If it raises, the pool has the same texts as before.
  void add(const TextColumn& column) {
    append([&] {
      for (const Text& text : column.texts()) {
        encoded_.add(encoder_, read_utf8(text, utf8_, poll_), has_sentences_, NewWords::kInsert);
      }
    });
  }

  /// Adds texts of token ids, likewise.
  void add(const IdColumn& column) {
    check(!has_sentences_ || column.has_sentences(),
          "the pool has sentences; expected token ids with sentences.");
    append([&] {
      for (std::size_t text = 0; text < column.size(); ++text) {
        encoded_.add(encoder_.vocabulary(), column.texts(), text, has_sentences_,
                     NewWords::kInsert, poll_);
      }
    });
  }

  /// Keeps the first texts. Candidates of an index must be among them.
  void truncate(std::size_t count) {
    change([&] {
      if (count < encoded_.size()) encoded_.truncate(count);
    });
  }

  /// Raises std::invalid_argument if a plan counts sentences that the pool does not have.
  void check_plan(const CountPlan& plan) const {
    check(has_sentences_ || !plan.needs_sentences(),
          "the plan counts sentences; expected a pool with sentences.");
  }

  /// Calls `use` with the texts, which do not change meanwhile; without the GIL.
  template <class Use>
  void read(const Use& use) const {
    without_gil([&] {
      const std::shared_lock lock(mutex_);
      use(texts());
    });
  }

  /// Calls `use` as read() does, while nobody else reads.
  template <class Use>
  void change(const Use& use) {
    // A thread that waits for the lock must not hold the GIL, which those that read may ask for.
    const ReleasedGil released;
    const std::unique_lock lock(mutex_);
    use();
  }

  PoolTexts texts() const { return {encoded_, distinct_}; }

 private:
  /// Calls `add`, which encodes texts; removes them again if it raises.
  template <class Add>
  void append(const Add& add) {
    change([&] {
      const std::size_t before = encoded_.size();
      try {
        add();
      } catch (...) {
        encoded_.truncate(before);
        throw;
      }
      distinct_ = encoder_.vocabulary().size();
    });
  }

  Poll poll_;
  Encoder encoder_;
  Encoded encoded_;
  Buffer<char> utf8_;
  std::size_t distinct_ = 0;  // the largest id
  bool has_sentences_;
  mutable std::shared_mutex mutex_;
};

/// Raises std::invalid_argument if an index is not that of a text, or of anything of this number.
inline void check_indices(std::span<const std::int64_t> indices, std::size_t count) {
  const auto is_index = [count](std::int64_t index) {
    return index >= 0 && static_cast<std::size_t>(index) < count;
  };
  check(std::ranges::all_of(indices, is_index), "an index is out of range.");
}

/// Counts pairs of texts: row r is that of rows[r] with columns[offsets[r]] to
/// columns[offsets[r + 1]].
inline void count_pool(const TextPool& pool, const Indices& rows, const Indices& offsets,
                       const Indices& columns, const CountPlan& plan, const nb::int_& threads,
                       const Output<3>& counts, const Output<3, double>& weighted) {
  const auto row_copy = copy(rows);
  const auto bounds = copy(offsets);
  const auto column_copy = copy(columns);
  check_bounds(Bounds(bounds), column_copy.size());
  check_size(bounds.size(), row_copy.size() + 1);
  check_outputs(counts, weighted, column_copy.size(), plan);
  pool.check_plan(plan);
  const std::size_t most = read_number("threads", threads, kMostThreads);
  const PoolPairs pairs{row_copy, bounds, column_copy};
  pool.read([&](const PoolTexts& texts) {
    check_indices(row_copy, texts.texts.size());
    check_indices(column_copy, texts.texts.size());
    const std::size_t helpful = limit_threads(most, column_copy.size(), texts.texts);
    share(PoolCounter::count_groups(row_copy.size()), helpful, is_signalled, [&](Poll& poll) {
      return PoolCounter(texts, pairs, plan, writable(counts), writable(weighted), poll);
    });
  });
}

/// Candidates of a pool that are searched for the nearest texts.
class NearestIndex {
 public:
  NearestIndex(TextPool& pool, const CountPlan& plan)
      : pool_(pool), plan_(plan), candidates_(plan.once) {
    check(NearestSearch::can_count(plan), "the plan counts what shared tokens do not bound.");
    pool.check_plan(plan);
  }
  NearestIndex(const NearestIndex&) = delete;
  NearestIndex& operator=(const NearestIndex&) = delete;

  /// Adds candidates, all or none; `kinds` are their columns of the tables of scores.
  void add(const Indices& texts, const Indices& kinds) {
    const auto indices = copy(texts);
    const auto kind_copy = copy(kinds);
    check_size(kind_copy.size(), indices.size());
    check_indices(kind_copy, std::size_t{1} << 31);
    pool_.change([&] {
      const PoolTexts all = pool_.texts();
      check_indices(indices, all.texts.size());
      const auto tokens_of = [&](std::size_t at) {
        return NearestSearch::tokens_of(all.texts, static_cast<std::size_t>(indices[at]),
                                        plan_.needs_sentences());
      };
      const std::size_t before = candidates_.size();
      try {
        for (std::size_t at = 0; at < indices.size(); ++at) {
          candidates_.add(indices[at], tokens_of(at), static_cast<std::uint32_t>(kind_copy[at]));
        }
      } catch (...) {
        while (candidates_.size() > before) {
          candidates_.remove_last(tokens_of(candidates_.size() - before - 1));
        }
        throw;
      }
      for (std::size_t at = 0; at < indices.size(); ++at) {
        kinds_ = std::max(kinds_, static_cast<std::size_t>(kind_copy[at]) + 1);
        texts_ = std::max(texts_, static_cast<std::size_t>(indices[at]) + 1);
      }
    });
  }

  /// Finds the nearest candidates of texts, as NearestSearch describes; `starts` has one row per
  /// kind of text, and one column per kind of candidate.
  void search(const Indices& texts, const Indices& kinds,
              const nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>& values,
              const nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>&
                  starts,
              const nb::int_& threads, const Output<2>& places, const Output<2>& scores,
              const Output<1>& compared) const {
    const auto indices = copy(texts);
    const auto kind_copy = copy(kinds);
    check_size(kind_copy.size(), indices.size());
    check_size(places.shape(0), indices.size());
    check_size(scores.shape(0), indices.size());
    check_size(scores.shape(1), places.shape(1));
    check_size(compared.size(), indices.size());
    check(places.shape(1) > 0, "no candidate is wanted; expected at least one per text.");
    check_indices(kind_copy, starts.shape(0));
    const std::vector start_copy(starts.data(), starts.data() + starts.size());
    check_indices(start_copy, values.size());
    const ScoreTable table{std::span(values.data(), values.size()), start_copy, starts.shape(1)};
    const std::size_t most = read_number("threads", threads, kMostThreads);
    pool_.read([&](const PoolTexts& all) {
      check_indices(indices, all.texts.size());
      // Only here nobody adds candidates meanwhile.
      check(texts_ <= all.texts.size(), "a candidate is not in the pool any more.");
      check(kinds_ <= starts.shape(1), "the table of scores has too few columns.");
      const std::size_t helpful = limit_threads(most, indices.size() * candidates_.size(), all.texts);
      share(indices.size(), helpful, is_signalled,
            [&](Poll& poll) {
              return NearestSearch(all, candidates_, plan_, indices, kind_copy, table,
                                   places.shape(1), writable(places), writable(scores),
                                   writable(compared), poll);
            });
    });
  }

 private:
  TextPool& pool_;             // both are kept alive by Python
  const CountPlan& plan_;
  Candidates candidates_;
  std::size_t kinds_ = 0;  // how many the tables must have
  std::size_t texts_ = 0;  // how many the pool must have
};

}  // namespace bleu_rouge
