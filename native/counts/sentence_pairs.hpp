// The LCS of each sentence of a prediction with each sentence of a reference.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/poll.hpp"
#include "counts/lcs.hpp"
#include "counts/sentences.hpp"

namespace bleu_rouge {

/// Sums the lengths of the LCS of all pairs of sentences, of which nothing is clipped: a token
/// counts once for each pair whose LCS has it.
class SentencePairs {
 public:
  explicit SentencePairs(Poll& poll) : predicted_(poll), referred_(poll), lcs_(poll) {}

  /// `distinct`: the largest id of all.
  void assign(const Sentences& prediction, std::size_t distinct) {
    prediction_ = prediction;
    predicted_.assign(prediction);
    distinct_ = distinct;
  }

  std::int64_t sum_lengths(const Sentences& reference) {
    referred_.assign(reference);
    // Fast path: equals comparing each sentence with each, because equal pairs have equal LCS.
    if (are_many(prediction_, reference)) {
      predicted_.merge();
      referred_.merge();
    }
    std::int64_t sum = 0;
    for (const SentenceList::Item& prediction : predicted_.items()) {
      lcs_.assign(prediction.tokens, distinct_);
      for (const SentenceList::Item& item : referred_.items()) {
        const auto pairs = static_cast<std::int64_t>(prediction.times * item.times);
        sum += lcs_.length(item.tokens) * pairs;
      }
    }
    return sum;
  }

 private:
  Sentences prediction_{};
  SentenceList predicted_;
  SentenceList referred_;
  std::size_t distinct_ = 0;
  LongLcs lcs_;
};

}  // namespace bleu_rouge
