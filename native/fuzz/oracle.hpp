// Plain loops, maps and tables of n-grams, LCS, ROUGE-W and ROUGE-S, with which the fuzzer compares
// the kernel.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace oracle {

using Tokens = std::vector<std::string>;
using TokenLists = std::vector<Tokens>;
using Table = std::vector<std::vector<int>>;

inline std::map<Tokens, std::int64_t> count_ngrams(const Tokens& tokens, std::size_t order) {
  std::map<Tokens, std::int64_t> counts;
  for (auto first = tokens.begin(); static_cast<std::size_t>(tokens.end() - first) >= order; ++first) {
    ++counts[Tokens(first, first + static_cast<std::ptrdiff_t>(order))];
  }
  return counts;
}

inline std::int64_t total(const Tokens& tokens, std::size_t order) {
  return tokens.size() < order ? 0 : static_cast<std::int64_t>(tokens.size() - order + 1);
}

inline Table make_lcs_table(const Tokens& reference, const Tokens& prediction) {
  Table table(reference.size() + 1, std::vector<int>(prediction.size() + 1, 0));
  for (std::size_t i = 1; i <= reference.size(); ++i) {
    for (std::size_t j = 1; j <= prediction.size(); ++j) {
      table[i][j] = reference[i - 1] == prediction[j - 1]
                        ? table[i - 1][j - 1] + 1
                        : std::max(table[i - 1][j], table[i][j - 1]);
    }
  }
  return table;
}

/// ROUGE-W with the full table.
struct WeightedOracle {
  const TokenLists& predictions;
  const std::vector<double>& values;

  using Scores = std::vector<std::vector<double>>;

  Scores make_table(const Tokens& reference, const Tokens& prediction) const {
    Scores scores(reference.size() + 1, std::vector<double>(prediction.size() + 1, 0));
    Table runs(reference.size() + 1, std::vector<int>(prediction.size() + 1, 0));
    for (std::size_t i = 1; i <= reference.size(); ++i) {
      for (std::size_t j = 1; j <= prediction.size(); ++j) {
        if (reference[i - 1] == prediction[j - 1]) {
          const auto run = static_cast<std::size_t>(runs[i - 1][j - 1]);
          scores[i][j] = scores[i - 1][j - 1] + values[run + 1] - values[run];
          runs[i][j] = static_cast<int>(run + 1);
        } else {
          scores[i][j] = std::max(scores[i - 1][j], scores[i][j - 1]);
        }
      }
    }
    return scores;
  }

  void mark(const Tokens& reference, const Tokens& prediction, std::vector<bool>& hits) const {
    const Scores scores = make_table(reference, prediction);
    std::size_t i = reference.size();
    std::size_t j = prediction.size();
    while (i > 0 && j > 0) {
      if (reference[i - 1] == prediction[j - 1]) {
        hits[--i] = true;
        --j;
      } else if (scores[i - 1][j] >= scores[i][j - 1]) {
        --i;
      } else {
        --j;
      }
    }
  }

  double count_hits(const TokenLists& references) const {
    std::map<std::string, std::int64_t> left;
    for (const Tokens& sentence : predictions) {
      for (const std::string& token : sentence) ++left[token];
    }
    double sum = 0;
    for (const Tokens& reference : references) {
      std::vector<bool> hits(reference.size() + 1);
      for (const Tokens& prediction : predictions) mark(reference, prediction, hits);
      std::size_t run = 0;
      for (std::size_t i = 0; i < reference.size(); ++i) {
        if (!hits[i] || left[reference[i]]-- <= 0) continue;
        ++run;
        if (hits[i + 1]) continue;
        sum += values[run];
        run = 0;
      }
    }
    return sum;
  }
};

using Pairs = std::map<std::pair<std::string, std::string>, std::int64_t>;

inline Pairs list_skip_bigrams(const Tokens& tokens, std::size_t distance) {
  Pairs pairs;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    for (std::size_t j = i + 1; j < tokens.size() && j - i <= distance; ++j) {
      ++pairs[{tokens[i], tokens[j]}];
    }
  }
  return pairs;
}

/// Size of the intersection of two multisets.
template <class Counts>
std::int64_t count_overlap(const Counts& left, const Counts& right) {
  std::int64_t hits = 0;
  for (const auto& [item, count] : left) {
    const auto found = right.find(item);
    if (found != right.end()) hits += std::min(count, found->second);
  }
  return hits;
}

template <class Counts>
std::int64_t sum_up(const Counts& counts) {
  std::int64_t sum = 0;
  for (const auto& [item, count] : counts) sum += count;
  return sum;
}

inline Tokens without_last(Tokens tokens) {
  if (!tokens.empty()) tokens.pop_back();
  return tokens;
}

inline std::size_t count_longest(const TokenLists& lines) {
  std::size_t longest = 0;
  for (const Tokens& line : lines) longest = std::max(longest, line.size());
  return longest;
}

/// Hits, and the totals of the prediction and of the reference.
struct Triple {
  std::int64_t hits = 0;
  std::int64_t prediction = 0;
  std::int64_t reference = 0;
};

inline Triple count_distinct_ngrams(const Tokens& prediction, const Tokens& reference,
                                    std::size_t order) {
  const auto ours = count_ngrams(prediction, order);
  const auto theirs = count_ngrams(reference, order);
  Triple triple{0, static_cast<std::int64_t>(ours.size()), static_cast<std::int64_t>(theirs.size())};
  for (const auto& [ngram, count] : ours) triple.hits += theirs.contains(ngram) ? 1 : 0;
  return triple;
}

/// The tokens of one LCS; the reference goes back if its cell of the table is greater.
inline std::set<std::string> choose_lcs(const Tokens& reference, const Tokens& prediction) {
  const Table table = make_lcs_table(reference, prediction);
  std::set<std::string> chosen;
  std::size_t i = reference.size();
  std::size_t j = prediction.size();
  while (i > 0 && j > 0) {
    if (reference[i - 1] == prediction[j - 1]) {
      chosen.insert(reference[i - 1]);
      --i;
      --j;
    } else if (table[i - 1][j] > table[i][j - 1]) {
      --i;
    } else {
      --j;
    }
  }
  return chosen;
}

/// The LCS of all pairs of sentences: the distinct tokens, or the sum of the lengths.
inline Triple count_sentence_pairs(const TokenLists& predictions, const TokenLists& references,
                                   bool once) {
  std::set<std::string> chosen;
  std::int64_t sum = 0;
  for (const Tokens& prediction : predictions) {
    for (const Tokens& reference : references) {
      chosen.merge(choose_lcs(reference, prediction));
      sum += make_lcs_table(reference, prediction).back().back();
    }
  }
  const auto count = [once](const TokenLists& sentences) {
    std::set<std::string> distinct;
    std::size_t all = 0;
    for (const Tokens& sentence : sentences) {
      distinct.insert(sentence.begin(), sentence.end());
      all += sentence.size();
    }
    return static_cast<std::int64_t>(once ? distinct.size() : all);
  };
  return {once ? static_cast<std::int64_t>(chosen.size()) : sum, count(predictions),
          count(references)};
}

}  // namespace oracle
