// The LCS of sentences with several short sentences at once, which share one machine word.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/bits.hpp"
#include "base/buffer.hpp"
#include "base/poll.hpp"
#include "counts/ids.hpp"
#include "counts/lcs.hpp"
#include "counts/sentences.hpp"

namespace bleu_rouge {

/// Sentences of a reference, in one word: each has a field with a bit per token. A separator between
/// two fields stops carries and borrows.
class PackedSentences {
 public:
  explicit PackedSentences(Poll& poll) : poll_(poll) {}

  /// Empties the word. `distinct`: the largest id of all.
  void assign(std::size_t distinct) {
    masks_.assign(distinct + 1, Mask{0, 0});
    clear();
  }

  bool empty() const { return used_ == 0; }

  /// Whether another sentence fits; it always does into an empty word, if it has 64 tokens at most.
  bool fits(Ids sentence) const {
    return sentence.size() + used_ + (empty() ? 0 : 1) <= kWordBits;
  }

  /// Adds a sentence of at least one token, which occurs `times` times.
  void add(Ids sentence, std::size_t times) {
    if (!empty()) {
      separators_ |= std::uint64_t{1} << used_;
      tokens_[used_++] = {kUnknown, 0};
    }
    for (const Id id : sentence) {
      Mask& mask = masks_[id];
      mask.forward |= std::uint64_t{1} << used_;
      mask.backward |= kHighest >> used_;
      tokens_[used_] = {id, times};
      ++used_;
    }
    lowest_ |= kHighest >> (used_ - 1);
  }

  /// Passes each token that is in the LCS of its sentence with any of the others to `use(id, times)`,
  /// and empties the word.
  template <class Use>
  void take_hits(std::span<const SentenceList::Item> others, Use&& use) {
    poll_.did(others.size());
    std::uint64_t hits = 0;
    if (separators_ == 0) {
      for (const SentenceList::Item& other : others) hits |= match_one(other.tokens);
    } else {
      for (const SentenceList::Item& other : others) hits |= match_many(other.tokens);
      hits = reverse(hits);
    }
    for (; hits != 0; hits &= hits - 1) {
      const Token& token = tokens_[lowest_position(hits)];
      use(token.id, token.times);
    }
    for (std::size_t at = 0; at < used_; ++at) masks_[tokens_[at].id] = {0, 0};
    clear();
  }

 private:
  static constexpr std::uint64_t kHighest = std::uint64_t{1} << (kWordBits - 1);

  // The positions of an id; in `backward` the first position is the highest bit.
  struct Mask {
    std::uint64_t forward;
    std::uint64_t backward;
  };

  struct Token {
    Id id;
    std::size_t times;
  };

  // The positions of a token of the other sentence, and the row after it; positions are 0 for a run
  // of tokens without a match.
  struct Step {
    std::uint64_t positions;
    std::uint64_t row;
  };

  void clear() {
    used_ = 0;
    separators_ = 0;
    lowest_ = 0;
  }

  /// The positions of the only sentence that are in its LCS with another one.
  std::uint64_t match_one(Ids other) {
    Step* const first = reserve(other);
    Step* step = first;
    std::uint64_t row = ~std::uint64_t{0};
    for (const Id id : other) {
      const std::uint64_t positions = masks_[id].forward;
      if (positions != 0) {
        row = next_row(row, positions);
      } else if (step == first || step[-1].positions == 0) {
        continue;
      }
      *step++ = {positions, row};
    }
    // Parity: rouge_score._backtrack_norec. From a cell of the LCS table: take an equal pair of
    // tokens; else go back in the prediction if the cell to the left is greater than the one above,
    // that is if the row has a 0 there; else go back in the reference. Going back in the reference
    // stops at the highest bit below for which one of the first two cases applies.
    std::uint64_t hits = 0;
    std::uint64_t below = ~std::uint64_t{0};
    while (step != first) {
      --step;
      const std::uint64_t stops = (step->positions | ~step->row) & below;
      if (stops == 0) break;
      const std::uint64_t bit = std::uint64_t{1} << highest_position(stops);
      if ((step->positions & bit) != 0) {
        hits |= bit;
        below = bit - 1;
      } else {
        below = (bit << 1) - 1;
      }
    }
    return hits;
  }

  /// The same for all sentences; the first position is the highest bit.
  // Fast path: equals match_one for each sentence. A pair of documents of 40 lines takes 535,000
  // instructions instead of 669,000 (bench/kernel.py).
  std::uint64_t match_many(Ids other) {
    Step* const first = reserve(other);
    Step* step = first;
    const std::uint64_t fields = ~separators_;
    std::uint64_t row = fields;
    bool had_match = false;
    for (const Id id : other) {
      const Mask& mask = masks_[id];
      row = next_row(row, mask.forward) & fields;
      *step = {mask.backward, row};
      const bool has_match = mask.forward != 0;
      step += has_match || had_match ? 1 : 0;
      had_match = has_match;
    }
    // In reverse order the highest stop of a field is its lowest bit, which a subtraction finds in
    // all fields at once. A field without a stop borrows from the separator above it.
    const std::uint64_t separators = reverse(separators_);
    std::uint64_t hits = 0;
    std::uint64_t below = ~separators;
    while (step != first) {
      --step;
      const std::uint64_t stops = ((step->positions | reverse(~step->row)) & below) | separators;
      const std::uint64_t less = stops - lowest_;
      const std::uint64_t taken = stops & ~less & step->positions;
      hits |= taken;
      below = ~((~stops & less) | taken);
    }
    return hits;
  }

  Step* reserve(Ids other) {
    poll_.did(other.size());
    steps_.clear();
    return steps_.extend(other.size()).data();
  }

  Poll& poll_;
  Buffer<Mask> masks_;  // by id; all 0 while the word is empty
  std::array<Token, kWordBits> tokens_;
  std::size_t used_ = 0;
  std::uint64_t separators_ = 0;
  std::uint64_t lowest_ = 0;  // the last token of each sentence, in reverse order
  Buffer<Step> steps_;
};

}  // namespace bleu_rouge
