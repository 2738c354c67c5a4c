// The LCS of sentences with several short sentences at once, which share machine words.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
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

/// Sentences of a reference, in two words that are computed together: each sentence has a field with
/// a bit per token. A separator between two fields stops carries.
class PackedSentences {
 public:
  explicit PackedSentences(Poll& poll) : poll_(poll) {}

  /// Empties the words. `distinct`: the largest id of all.
  void assign(std::size_t distinct) {
    masks_.assign(distinct + 1, Pair{});
    clear();
  }

  bool empty() const { return sentences_ == 0; }

  /// Whether another sentence fits; it always does into empty words, if it has 64 tokens at most.
  bool fits(Ids sentence) const { return has_room(0, sentence) || has_room(1, sentence); }

  /// Adds a sentence that fits, of at least one token, which occurs `times` times.
  void add(Ids sentence, std::size_t times) {
    const std::size_t lane = has_room(0, sentence) ? 0 : 1;
    std::size_t& used = used_[lane];
    // The separator.
    if (used != 0) tokens_[lane][used++] = {kUnknown, 0};
    const std::uint64_t first = std::uint64_t{1} << used;
    std::uint64_t bit = first;
    Token* token = &tokens_[lane][used];
    for (const Id id : sentence) {
      masks_[id][lane] |= bit;
      *token++ = {id, times};
      bit <<= 1;
    }
    fields_[lane] |= bit - first;
    used += sentence.size();
    longest_ = std::max(longest_, sentence.size());
    ++sentences_;
  }

  /// Passes each token that is in the LCS of its sentence with any of the others to `use(id, times)`,
  /// and empties the words.
  template <class Use>
  void take_hits(std::span<const SentenceList::Item> others, Use&& use) {
    poll_.did(others.size());
    const Pair hits = match(others);
    for (std::size_t lane = 0; lane < used_.size(); ++lane) {
      const Token* const tokens = tokens_[lane].data();
      for (std::uint64_t bits = hits[lane]; bits != 0; bits &= bits - 1) {
        const Token& token = tokens[lowest_position(bits)];
        use(token.id, token.times);
      }
      for (std::size_t at = 0; at < used_[lane]; ++at) masks_[tokens[at].id] = Pair{};
    }
    clear();
  }

 private:
  using Pair = TwoWords;

  struct Token {
    Id id;
    std::size_t times;
  };

  // The positions of a token of the other sentence, and the row after it; positions are 0 for a run
  // of tokens without a match.
  template <class Word>
  struct Step {
    Word positions;
    Word row;
  };

  bool has_room(std::size_t lane, Ids sentence) const {
    return sentence.size() + used_[lane] + (used_[lane] == 0 ? 0 : 1) <= kWordBits;
  }

  void clear() {
    used_ = {};
    sentences_ = 0;
    longest_ = 0;
    fields_ = Pair{};
  }

  /// The positions that are in the LCS of their sentence with any of the others.
  Pair match(std::span<const SentenceList::Item> others) {
    Pair hits{};
    if (sentences_ == 1) {
      for (const SentenceList::Item& other : others) hits[0] |= match_one(other.tokens);
    } else if (used_[1] == 0) {
      hits[0] = match_all<std::uint64_t>(others);
    } else {
      hits = match_all<Pair>(others);
    }
    return hits;
  }

  /// The positions of the only sentence that are in its LCS with another one.
  std::uint64_t match_one(Ids other) {
    Step<std::uint64_t>* const first = reserve(other, one_steps_);
    Step<std::uint64_t>* step = first;
    std::uint64_t row = ~std::uint64_t{0};
    for (const Id id : other) {
      const std::uint64_t positions = masks_[id][0];
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

  /// The same for all sentences; `Word` is std::uint64_t if all are in the first word.
  template <class Word>
  Word match_all(std::span<const SentenceList::Item> others) {
    switch (std::bit_width(longest_ - 1)) {
      case 6:
        return match_all<Word, 6>(others);
      case 5:
        return match_all<Word, 5>(others);
      case 4:
        return match_all<Word, 4>(others);
      default:
        return match_all<Word, 3>(others);
    }
  }

  /// The same for sentences of at most 1 << `doublings` tokens.
  // Fast path: equals match_one for each sentence. ROUGE-1, 2, L and Lsum of a pair of documents of 40
  // lines take 371,798 instructions instead of 632,510 (bench/kernel.py).
  template <class Word, std::size_t doublings>
  Word match_all(std::span<const SentenceList::Item> others) {
    // Bit i of reach[n] is 1 if the 1 << n bits from i on belong to one field.
    std::array<Word, doublings> reach;
    reach[0] = part<Word>(fields_);
    for (std::size_t n = 1; n < doublings; ++n) {
      reach[n] = reach[n - 1] & (reach[n - 1] >> (std::size_t{1} << (n - 1)));
    }
    Word hits{};
    for (const SentenceList::Item& other : others) hits = hits | match_fields(other.tokens, reach);
    return hits;
  }

  template <class Word, std::size_t doublings>
  Word match_fields(Ids other, const std::array<Word, doublings>& reach) {
    const Word fields = reach[0];
    Step<Word>* const first = reserve(other, steps<Word>());
    Step<Word>* step = first;
    Word row = fields;
    bool had_match = false;
    for (const Id id : other) {
      const Word positions = part<Word>(masks_[id]);
      const bool has_match = any(positions);
      row = next_row(row, positions) & fields;
      *step = {positions, row};
      step += has_match || had_match ? 1 : 0;
      had_match = has_match;
    }
    Word hits{};
    Word below = fields;
    while (step != first) {
      --step;
      // The stops, and in each field all bits below a stop.
      Word reached = (step->positions | ~step->row) & below;
      for (std::size_t n = 0; n < doublings; ++n) {
        reached = reached | ((reached >> (std::size_t{1} << n)) & reach[n]);
      }
      const Word taken = step->positions & reached & ~(reached >> 1);
      hits = hits | taken;
      below = reached & ~taken;
    }
    return hits;
  }

  template <class Word>
  static Word part(const Pair& words) {
    if constexpr (kLanes<Word> == 1) {
      return words[0];
    } else {
      return words;
    }
  }

  static bool any(std::uint64_t bits) { return bits != 0; }
  static bool any(const Pair& bits) { return (bits[0] | bits[1]) != 0; }

  template <class Word>
  Buffer<Step<Word>>& steps() {
    if constexpr (kLanes<Word> == 1) {
      return one_steps_;
    } else {
      return many_steps_;
    }
  }

  template <class Word>
  Step<Word>* reserve(Ids other, Buffer<Step<Word>>& steps) {
    poll_.did(other.size());
    steps.clear();
    return steps.extend(other.size()).data();
  }

  Poll& poll_;
  Buffer<Pair> masks_;  // by id; all 0 while the words are empty
  std::array<std::array<Token, kWordBits>, 2> tokens_;
  std::array<std::size_t, 2> used_{};  // bits of each word
  std::size_t sentences_ = 0;
  std::size_t longest_ = 0;
  Pair fields_{};
  Buffer<Step<std::uint64_t>> one_steps_;
  Buffer<Step<Pair>> many_steps_;
};

}  // namespace bleu_rouge
