// Find the texts with the highest scores for each of many texts, without counting every pair.
//
// No score is computed here: a table has the score of each number of hits, for texts with the
// same numbers of tokens, and is only looked up and compared.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "base/buffer.hpp"
#include "base/poll.hpp"
#include "counts/ids.hpp"
#include "kernel/count_pool.hpp"
#include "kernel/counter.hpp"

namespace bleu_rouge {

// Number of candidates that are counted together, against one text whose tokens are set up once. The
// fuzzer sets it low, so that few texts are enough to rule some out.
#if defined(BLEU_ROUGE_TOGETHER)
inline constexpr std::size_t kTogether = BLEU_ROUGE_TOGETHER;
#else
inline constexpr std::size_t kTogether = 16;
#endif

/// Texts that are searched, and for each item of their bags of tokens a list of the texts that have
/// it. The items of a bag are the occurrences of its tokens or, with `once`, its distinct tokens.
/// Two texts share as many items as the intersection of their bags has: at least as many as hits.
class Candidates {
 public:
  explicit Candidates(bool once) : once_(once) {}

  std::size_t size() const { return texts_.size(); }
  std::int64_t text(std::size_t place) const { return texts_[place]; }
  std::size_t kind(std::size_t place) const { return kinds_[place]; }

  /// Adds a text. If it raises, the text may be there in part; remove_last removes it.
  ///
  /// Args:
  ///   text: its index in the pool.
  ///   tokens: all of its tokens.
  ///   kind: which column of the table of scores it has.
  void add(std::int64_t text, Ids tokens, std::uint32_t kind) {
    const auto place = static_cast<std::uint32_t>(size());
    texts_.push_back(text);
    kinds_.push_back(kind);
    for_each_item(tokens, sorted_, [&](Id id, std::uint32_t occurrence) {
      if (lists_.size() <= id) lists_.resize(std::size_t{id} + 1);
      if (lists_[id].size() < occurrence) lists_[id].resize(occurrence);
      lists_[id][occurrence - 1].push_back(place);
    });
  }

  /// Removes the text that was added last, of these tokens; never raises.
  void remove_last(Ids tokens) noexcept {
    texts_.pop_back();
    kinds_.resize(texts_.size());
    for (const Id id : tokens) {
      if (lists_.size() <= id) continue;
      for (std::vector<std::uint32_t>& list : lists_[id]) {
        if (list.empty() || list.back() != texts_.size()) break;
        list.pop_back();
      }
    }
  }

  /// Calls `use` with the list of the places of each item. Returns the number of items.
  ///
  /// Args:
  ///   sorted: memory for the tokens.
  template <class Use>
  std::size_t for_each_list(Ids tokens, Buffer<Id>& sorted, Use&& use) const {
    std::size_t items = 0;
    for_each_item(tokens, sorted, [&](Id id, std::uint32_t occurrence) {
      ++items;
      if (id < lists_.size() && occurrence <= lists_[id].size()) {
        use(std::span<const std::uint32_t>(lists_[id][occurrence - 1]));
      }
    });
    return items;
  }

 private:
  template <class Use>
  void for_each_item(Ids tokens, Buffer<Id>& sorted, Use&& use) const {
    sorted.clear();
    std::ranges::copy(tokens, sorted.extend(tokens.size()).begin());
    std::ranges::sort(sorted.span());
    Id before = kUnknown;
    std::uint32_t occurrence = 0;
    for (const Id id : sorted.view()) {
      occurrence = id == before ? occurrence + 1 : 1;
      before = id;
      if (occurrence == 1 || !once_) use(id, occurrence);
    }
  }

  bool once_;
  std::vector<std::int64_t> texts_;
  std::vector<std::uint32_t> kinds_;
  std::vector<std::vector<std::vector<std::uint32_t>>> lists_;  // by id and occurrence
  Buffer<Id> sorted_;  // tokens of the text that is added
};

/// Scores by kind of the searched text, kind of the candidate and hits: the score of `hits` hits is
/// values[starts[kind of the text * kinds + kind of the candidate] + hits]. It never falls if hits
/// are added, of which there are at most as many as the bag of the text has items.
struct ScoreTable {
  std::span<const double> values;
  std::span<const std::int64_t> starts;
  std::size_t kinds;  // of candidates

  /// The starts of a kind of text.
  ///
  /// Raises: std::invalid_argument, if there are no values for so many hits.
  std::span<const std::int64_t> row(std::size_t kind, std::size_t most_hits) const {
    const std::span<const std::int64_t> found = starts.subspan(kind * kinds, kinds);
    const std::int64_t last = found.empty() ? 0 : std::ranges::max(found);
    if (static_cast<std::size_t>(last) + most_hits >= values.size()) {
      throw std::invalid_argument("the table of scores has too few values.");
    }
    return found;
  }
};

/// Searches the candidates for texts of the same pool.
class NearestSearch {
 public:
  /// Args:
  ///   pool: of the texts and the candidates.
  ///   candidates: all but those of the first rows, if there are more.
  ///   columns: one column, of which the bags bound the hits.
  ///   texts: that are searched for.
  ///   kinds: which row of the table each text has.
  ///   most: how many candidates are wanted, at least 1.
  ///   places: output, `most` numbers per text: the nearest candidates, those with the highest score
  ///     first and of equal scores the first candidate first; -1 if there are fewer.
  ///   scores: output, `most` numbers per text: where in the table their scores are.
  ///   compared: output, how many candidates were compared with each text.
  NearestSearch(const PoolTexts& pool, const Candidates& candidates, const CountPlan& columns,
                std::span<const std::int64_t> texts, std::span<const std::int64_t> kinds,
                const ScoreTable& table, std::size_t most, std::span<std::int64_t> places,
                std::span<std::int64_t> scores, std::span<std::int64_t> compared, Poll& poll)
      : texts_(pool.texts),
        candidates_(candidates),
        from_sentences_(columns.needs_sentences()),
        rows_(texts),
        kinds_(kinds),
        table_(table),
        most_(most),
        places_(places),
        scores_(scores),
        compared_(compared),
        poll_(poll),
        counter_(pool, {}, columns, {}, {}, poll) {
    shared_.assign(candidates.size(), 0);
  }

  /// Whether the bags bound the hits of the only column.
  static bool can_count(const CountPlan& columns) {
    if (columns.size() != 1 || !columns.values.empty()) return false;
    if (!columns.orders.empty()) return columns.orders.front() == 1;
    return columns.once ? columns.pairs : columns.lcs;
  }

  /// The tokens of a text whose bag bounds the hits.
  static Ids tokens_of(const Encoded& texts, std::size_t text, bool from_sentences) {
    return from_sentences ? texts.sentences(text).tokens : texts.tokens(text);
  }

  void count(std::size_t row) {
    const Ids tokens = tokens_of(texts_, static_cast<std::size_t>(rows_[row]), from_sentences_);
    const auto share = [this](std::span<const std::uint32_t> list) {
      poll_.in_parts(list, [this](std::span<const std::uint32_t> part) {
        for (const std::uint32_t place : part) ++shared_[place];
      });
    };
    const std::size_t items = candidates_.for_each_list(tokens, sorted_, share);
    nearest_.clear();
    waiting_.clear();
    compared_[row] = 0;
    const auto starts = table_.row(static_cast<std::size_t>(kinds_[row]), items);
    poll_.did(candidates_.size());
    for (std::size_t place = 0; place < candidates_.size(); ++place) {
      const std::uint32_t shared = shared_[place];
      shared_[place] = 0;
      const std::int64_t bound = starts[candidates_.kind(place)] + shared;
      // Of equal scores the first candidate stays.
      if (is_full() && value(bound) <= value(nearest_.back().score)) continue;
      waiting_.push_back(place);
      if (waiting_.size() == kTogether) compare(row, starts);
    }
    compare(row, starts);
    write(row);
  }

 private:
  struct Near {
    std::int64_t score;  // its place in the table
    std::size_t place;
  };

  double value(std::int64_t score) const { return table_.values[static_cast<std::size_t>(score)]; }
  bool is_full() const { return nearest_.size() == most_; }

  /// Counts the hits of the candidates that wait, and keeps the nearest of all.
  void compare(std::size_t row, std::span<const std::int64_t> starts) {
    if (waiting_.empty()) return;
    columns_.clear();
    for (const std::size_t place : waiting_.view()) columns_.push_back(candidates_.text(place));
    counts_.clear();
    counts_.extend(3 * waiting_.size());
    const std::array<std::int64_t, 2> bounds{0, static_cast<std::int64_t>(waiting_.size())};
    counter_.count_row({rows_.subspan(row, 1), bounds, columns_.view()}, counts_.span());
    for (std::size_t index = 0; index < waiting_.size(); ++index) {
      const std::size_t place = waiting_[index];
      keep({starts[candidates_.kind(place)] + counts_[3 * index], place});
    }
    compared_[row] += bounds[1];
    waiting_.clear();
  }

  void keep(Near near) {
    const double score = value(near.score);
    if (is_full()) {
      if (score <= value(nearest_.back().score)) return;
      nearest_.back() = near;
    } else {
      nearest_.push_back(near);
    }
    for (std::size_t at = nearest_.size() - 1; at > 0; --at) {
      if (score <= value(nearest_[at - 1].score)) break;
      std::swap(nearest_[at - 1], nearest_[at]);
    }
  }

  void write(std::size_t row) {
    for (std::size_t at = 0; at < most_; ++at) {
      const bool is_found = at < nearest_.size();
      places_[row * most_ + at] = is_found ? static_cast<std::int64_t>(nearest_[at].place) : -1;
      scores_[row * most_ + at] = is_found ? nearest_[at].score : -1;
    }
  }

  const Encoded& texts_;
  const Candidates& candidates_;
  bool from_sentences_;
  std::span<const std::int64_t> rows_;
  std::span<const std::int64_t> kinds_;
  ScoreTable table_;
  std::size_t most_;
  std::span<std::int64_t> places_;
  std::span<std::int64_t> scores_;
  std::span<std::int64_t> compared_;
  Poll& poll_;
  PoolCounter counter_;
  Buffer<Id> sorted_;             // tokens of the text
  Buffer<std::uint32_t> shared_;  // items, by place; all 0 between two texts
  Buffer<std::size_t> waiting_;   // places
  Buffer<std::int64_t> columns_;  // texts
  Buffer<std::int64_t> counts_;
  Buffer<Near> nearest_;
};

}  // namespace bleu_rouge
