// Summary-level ROUGE-W.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/bits.hpp"
#include "base/buffer.hpp"
#include "base/poll.hpp"
#include "counts/ids.hpp"
#include "counts/short_weighted_lcs.hpp"
#include "counts/sentences.hpp"
#include "counts/weighted_lcs.hpp"

namespace bleu_rouge {

/// The counts of ROUGE-W for a pair of texts.
struct Weighted {
  double hits;
  double base;
};

/// Summary-level ROUGE-W of a prediction with each of its references.
class WeightedUnion {
 public:
  explicit WeightedUnion(Poll& poll) : poll_(poll), predicted_(poll), short_(poll), table_(poll) {}

  /// `distinct`: the largest id of all.
  void assign(const Sentences& prediction, std::size_t distinct) {
    prediction_ = prediction;
    predicted_.assign(prediction);
    short_.assign(distinct);
    table_.assign(distinct);
    left_.assign(distinct + 1, 0);
    for (const Id id : prediction.tokens) ++left_[id];
  }

  /// Returns: the sum of f over the runs of hits, and over the lengths of the reference sentences.
  // Parity: ROUGE-1.5.5 takes the union over the prediction's sentences, clips by the remaining
  // tokens of the prediction, and adds a run when its last token is counted. If the last token is
  // clipped, the run goes on with the next hit of the sentence; if there is none, the run is lost.
  Weighted count(const Sentences& reference, RunValues values) {
    Weighted result{0, 0};
    // Fast path: equals comparing with each, because a repeated prediction sentence adds nothing to
    // the union. Two texts of 2,000 equal lines take 0.07 s instead of 1.8 on a busy machine.
    if (are_many(prediction_, reference)) predicted_.merge();
    reference.for_each([&](Ids sentence) {
      result.base += values[sentence.size()];
      in_union_.assign(sentence.size() + 1, 0);
      mark_hits(sentence, values);
      std::size_t run = 0;
      for (std::size_t position = 0; position < sentence.size(); ++position) {
        if (in_union_[position] == 0 || left_[sentence[position]] == 0) continue;
        --left_[sentence[position]];
        taken_.push_back(sentence[position]);
        ++run;
        if (in_union_[position + 1] != 0) continue;
        result.hits += values[run];
        run = 0;
      }
    });
    for (const Id id : taken_.view()) ++left_[id];
    taken_.clear();
    return result;
  }

  /// Weighted LCS of the whole texts.
  double length(Ids prediction, Ids reference, RunValues values) {
    double score = 0;
    if (short_.enter_reference(reference)) {
      score = short_.length(prediction, values);
      short_.leave_reference();
    } else {
      table_.enter_reference(reference);
      score = table_.length(reference, prediction, values);
      table_.leave_reference(reference);
    }
    return score;
  }

 private:
  /// Marks the positions of a reference sentence that are in its weighted LCS with any prediction
  /// sentence.
  void mark_hits(Ids sentence, RunValues values) {
    poll_.did(predicted_.items().size());
    if (short_.enter_reference(sentence)) {
      std::uint64_t hits = 0;
      for (const SentenceList::Item& other : predicted_.items()) {
        hits |= short_.find_hits(other.tokens, values);
      }
      for (; hits != 0; hits &= hits - 1) in_union_[short_.position(lowest_position(hits))] = 1;
      short_.leave_reference();
      return;
    }
    table_.enter_reference(sentence);
    for (const SentenceList::Item& other : predicted_.items()) {
      table_.for_each_hit(sentence, other.tokens, values,
                          [this](std::uint32_t position) { in_union_[position] = 1; });
    }
    table_.leave_reference(sentence);
  }

  Poll& poll_;
  Sentences prediction_{};
  SentenceList predicted_;
  ShortWeightedLcs short_;
  WeightedTable table_;
  Buffer<std::uint32_t> left_;  // by id: how many of the prediction's tokens are not counted yet
  Buffer<Id> taken_;
  Buffer<std::uint8_t> in_union_;  // by position of the reference sentence
};

}  // namespace bleu_rouge
