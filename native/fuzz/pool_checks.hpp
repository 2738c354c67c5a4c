// Checks that pairs of a pool are counted as samples are, and that a search finds what a comparison
// with each text finds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "base/poll.hpp"
#include "kernel/count_pool.hpp"
#include "kernel/counter.hpp"
#include "kernel/nearest.hpp"
#include "kernel/samples.hpp"
#include "text/encoder.hpp"

namespace pool_checks {

using Numbers = std::vector<std::int64_t>;

/// The texts of an input, in a pool with sentences.
class Pool {
 public:
  Pool(bleu_rouge::Texts texts, const bleu_rouge::Tokenization& tokenization)
      : encoder_(tokenization, poll_) {
    encoded_.clear();
    // One text that is removed must leave nothing.
    for (std::size_t times = 0; times < 2; ++times) {
      encoded_.truncate(0);
      for (const bleu_rouge::Text& text : texts) {
        encoded_.add(encoder_, bleu_rouge::read_utf8(text, utf8_, poll_), true,
                     bleu_rouge::NewWords::kInsert);
      }
    }
  }

  bleu_rouge::PoolTexts texts() { return {encoded_, encoder_.vocabulary().size()}; }

  /// The counts of the first text with the others, for one plan.
  Numbers count(const bleu_rouge::CountPlan& columns, std::vector<double>& weighted) {
    const auto others = static_cast<std::int64_t>(encoded_.size()) - 1;
    Numbers references;
    // The row before, of another text, must not change the counts.
    for (std::int64_t pair = 0; pair < 2 * others; ++pair) references.push_back(1 + pair % others);
    const Numbers rows{others, 0};
    const Numbers bounds{0, others, 2 * others};
    const std::size_t half = static_cast<std::size_t>(others) * columns.size() * 3;
    const std::size_t weighted_half = static_cast<std::size_t>(others) * columns.values.size() * 3;
    Numbers counts(2 * half, -1);
    weighted.assign(2 * weighted_half, -2);
    bleu_rouge::PoolCounter counter(texts(), {rows, bounds, references}, columns, counts, weighted,
                                    poll_);
    counter.count(0);
    weighted.erase(weighted.begin(), weighted.begin() + static_cast<std::ptrdiff_t>(weighted_half));
    return {counts.begin() + static_cast<std::ptrdiff_t>(half), counts.end()};
  }

  /// The nearest of the other texts to the first one, by hits of one column.
  Numbers search(const bleu_rouge::CountPlan& columns, std::size_t most) {
    bleu_rouge::Candidates candidates(columns.once);
    std::size_t longest = 0;
    for (std::size_t text = 0; text < encoded_.size(); ++text) {
      const bleu_rouge::Ids tokens =
          bleu_rouge::NearestSearch::tokens_of(encoded_, text, columns.needs_sentences());
      longest = std::max(longest, tokens.size());
      if (text > 0) candidates.add(static_cast<std::int64_t>(text), tokens, 0);
    }
    std::vector<double> values(longest + 1);
    std::iota(values.begin(), values.end(), 0.0);
    const Numbers zero{0};
    Numbers places(most);
    Numbers scores(most);
    Numbers compared(1);
    bleu_rouge::NearestSearch search(texts(), candidates, columns, zero, zero, {values, zero, 1},
                                     most, places, scores, compared, poll_);
    search.count(0);
    search.count(0);
    places.insert(places.end(), scores.begin(), scores.end());
    return places;
  }

 private:
  bleu_rouge::Poll poll_;
  bleu_rouge::Encoder encoder_;
  bleu_rouge::Encoded encoded_;
  bleu_rouge::Buffer<char> utf8_;
};

/// The places with the most hits, the first of equal ones first, and their hits; -1 if there are
/// fewer.
inline Numbers list_best(const Numbers& hits, std::size_t most) {
  std::vector<std::size_t> order(hits.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t one, std::size_t other) {
    return hits[one] > hits[other];
  });
  Numbers best(2 * most, -1);
  for (std::size_t at = 0; at < std::min(most, order.size()); ++at) {
    best[at] = static_cast<std::int64_t>(order[at]);
    best[most + at] = hits[order[at]];
  }
  return best;
}

/// Whether pairs of a pool have the counts of samples, and whether the nearest texts are found.
///
/// Args:
///   counts, weighted: of the sample of all texts, by the columns.
///   pair_counts: likewise, by the other columns.
inline bool agree(bleu_rouge::Texts texts, const bleu_rouge::Tokenization& tokenization,
                  const bleu_rouge::CountPlan& columns, const Numbers& counts,
                  const std::vector<double>& weighted, const bleu_rouge::CountPlan& pair_columns,
                  const Numbers& pair_counts) {
  Pool pool(texts, tokenization);
  std::vector<double> floats;
  if (pool.count(columns, floats) != counts || floats != weighted) return false;
  if (pool.count(pair_columns, floats) != pair_counts) return false;
  // What is counted without renumbering.
  const bleu_rouge::CountPlan plain{.orders = columns.orders, .lcs = true};
  const Numbers plain_counts = pool.count(plain, floats);
  for (std::size_t text = 0; text + 1 < texts.size(); ++text) {
    const auto first = counts.begin() + static_cast<std::ptrdiff_t>(text * columns.size() * 3);
    const auto ours = plain_counts.begin() + static_cast<std::ptrdiff_t>(text * plain.size() * 3);
    if (!std::equal(ours, ours + static_cast<std::ptrdiff_t>(plain.size() * 3), first)) return false;
  }
  // The hits of the LCS, of unigrams, and with `once` of distinct unigrams and of sentence pairs.
  const auto matches = [&](const bleu_rouge::CountPlan& wanted, const Numbers& all,
                           std::size_t width, std::size_t column) {
    Numbers hits;
    for (std::size_t at = column * 3; at < all.size(); at += width * 3) hits.push_back(all[at]);
    return pool.search(wanted, 2) == list_best(hits, 2);
  };
  const std::size_t width = pair_columns.size();
  const bool once = pair_columns.once;
  return matches({.orders = {}, .lcs = true}, counts, columns.size(), columns.orders.size()) &&
         matches({.orders = {1}}, counts, columns.size(), 0) &&
         matches({.orders = {1}, .once = once}, pair_counts, width, 0) &&
         (!once || matches({.orders = {}, .once = true, .pairs = true}, pair_counts, width, width - 1));
}

}  // namespace pool_checks
