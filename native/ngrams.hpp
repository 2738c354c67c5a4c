// N-gram overlap of texts of any length, one order after the other.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "bits.hpp"
#include "buffer.hpp"
#include "encoder.hpp"

namespace bleu_rouge {

/// Interns pairs of ids: an n-gram is its first n - 1 tokens, by their id, and its last token.
class Pairs {
 public:
  /// Forgets all pairs; there will be at most `most`.
  void clear(std::size_t most) {
    const std::size_t count = std::bit_ceil(2 * most + 1);
    slots_.assign(count, Slot{0, 0});
    mask_ = count - 1;
    size_ = 0;
  }

  std::size_t size() const { return size_; }

  Id insert(std::uint64_t pair) {
    Slot& slot = locate(pair);
    if (slot.id == kUnknown) slot = {pair, ++size_};
    return slot.id;
  }

  Id find(std::uint64_t pair) { return locate(pair).id; }

 private:
  struct Slot {
    std::uint64_t pair;
    Id id;
  };

  Slot& locate(std::uint64_t pair) {
    std::size_t index = mix(pair, 0) & mask_;
    while (slots_[index].id != kUnknown && slots_[index].pair != pair) index = (index + 1) & mask_;
    return slots_[index];
  }

  Buffer<Slot> slots_;
  std::size_t mask_ = 0;
  Id size_ = 0;
};

/// Overlap of the n-grams of a prediction with those of its references. The orders are counted one
/// after the other, in memory proportional to the texts whatever the order.
class NgramOverlap {
 public:
  /// Begins with order 1. The references stand one behind the other, `bounds` tells where.
  void assign(Ids prediction, Ids references, std::span<const std::size_t> bounds,
              std::size_t distinct) {
    prediction_ = prediction;
    references_ = references;
    bounds_ = bounds;
    order_ = 1;
    copy(prediction, prediction_grams_);
    copy(references, reference_grams_);
    count_prediction(distinct);
  }

  /// Hits of ROUGE-N with reference `reference`: the intersection of two multisets.
  std::int64_t count_hits(std::size_t reference) {
    std::int64_t hits = 0;
    const Ids grams = reference_grams(reference);
    for (const Id gram : grams) {
      // kUnknown is not in the prediction, so that its limit is 0.
      hits += ++taken_[gram] <= limits_[gram] ? 1 : 0;
    }
    for (const Id gram : grams) taken_[gram] = 0;
    return hits;
  }

  /// Matches of BLEU with all references: an n-gram of the prediction counts at most as often as it
  /// occurs in the one reference that has it most often.
  std::int64_t count_clipped_matches() {
    std::int64_t matches = 0;
    best_.assign(limits_.size(), 0);
    for (std::size_t reference = 0; reference + 1 < bounds_.size(); ++reference) {
      const Ids grams = reference_grams(reference);
      for (const Id gram : grams) {
        const std::uint32_t count = ++taken_[gram];
        if (count > limits_[gram] || count <= best_[gram]) continue;
        best_[gram] = count;
        ++matches;
      }
      for (const Id gram : grams) taken_[gram] = 0;
    }
    return matches;
  }

  /// Goes on to the next order. Returns whether any n-gram of it can match.
  bool advance() {
    ++order_;
    if (prediction_.size() < order_) return false;
    const std::size_t count = prediction_.size() - order_ + 1;
    pairs_.clear(count);
    for (std::size_t i = 0; i < count; ++i) {
      prediction_grams_[i] = pairs_.insert(pair(prediction_grams_[i], prediction_[i + order_ - 1]));
    }
    bool any = false;
    for (std::size_t reference = 0; reference + 1 < bounds_.size(); ++reference) {
      const std::size_t first = bounds_[reference];
      for (std::size_t i = first; i + order_ <= bounds_[reference + 1]; ++i) {
        Id& gram = reference_grams_[i];
        if (gram == kUnknown) continue;
        const Id last = references_[i + order_ - 1];
        gram = last == kUnknown ? kUnknown : pairs_.find(pair(gram, last));
        any |= gram != kUnknown;
      }
    }
    count_prediction(pairs_.size());
    return any;
  }

 private:
  static std::uint64_t pair(Id first, Id last) { return std::uint64_t{first} << 32 | last; }

  static void copy(Ids ids, Buffer<Id>& grams) {
    grams.clear();
    std::ranges::copy(ids, grams.extend(ids.size()).begin());
  }

  Ids reference_grams(std::size_t reference) const {
    const std::size_t first = bounds_[reference];
    const std::size_t tokens = bounds_[reference + 1] - first;
    return reference_grams_.view().subspan(first, tokens < order_ ? 0 : tokens - order_ + 1);
  }

  void count_prediction(std::size_t distinct) {
    limits_.assign(distinct + 1, 0);
    taken_.assign(distinct + 1, 0);
    if (prediction_.size() < order_) return;
    for (const Id gram : prediction_grams_.view().first(prediction_.size() - order_ + 1)) {
      ++limits_[gram];
    }
  }

  Ids prediction_;
  Ids references_;
  std::span<const std::size_t> bounds_;
  std::size_t order_ = 1;
  Pairs pairs_;
  Buffer<Id> prediction_grams_;
  Buffer<Id> reference_grams_;
  Buffer<std::uint32_t> limits_;  // by n-gram: how often the prediction has it
  Buffer<std::uint32_t> taken_;   // by n-gram: how often the reference had it so far
  Buffer<std::uint32_t> best_;    // by n-gram: the most that one reference had, within the limit
};

}  // namespace bleu_rouge
