// Plain loops for the counts of pltrdy's ROUGE: each n-gram once, and the LCS of all pairs of
// sentences.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

#include "fuzz/oracle.hpp"

namespace oracle {

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
