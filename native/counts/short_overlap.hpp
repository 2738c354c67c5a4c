// N-gram overlap and LCS of predictions of at most 128 tokens, with masks of positions: of one
// prediction, or of several of at most 64 tokens with the same reference.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/bits.hpp"
#include "base/poll.hpp"
#include "counts/ids.hpp"
#include "counts/lcs.hpp"

namespace bleu_rouge {

// No n-gram of a prediction of 64 tokens is longer.
inline constexpr std::size_t kShortOrders = kWordBits;

/// The n-grams of the prediction that one reference matches, by order; bit i of order n is the
/// n-gram that starts at token i. `Word` is std::uint64_t, WideWord, or Lanes for several predictions.
template <class Word>
using MatchedOf = std::array<Word, kShortOrders>;

/// Sets one lane of the masks of the ids of a prediction, which must be 0 before.
template <class Word>
void set_positions(Ids prediction, Word* masks, std::size_t lane = 0) {
  typename LaneOf<Word>::type bit = 1;
  for (const Id id : prediction) {
    set_bits(masks[id], bit, lane);
    bit <<= 1;
  }
}

/// Updates the starts, in the prediction, of the n-grams that end at the current token of the
/// reference. Such an n-gram starts where its first n - 1 tokens start and the current token
/// follows.
template <class Word>
void advance_ngrams(Word positions, std::size_t orders, Word* starts, Word* matched) {
  for (std::size_t n = orders; n > 1; --n) starts[n - 1] = starts[n - 2] & (positions >> (n - 1));
  starts[0] = positions;
  for (std::size_t n = 0; n < orders; ++n) {
    matched[n] = matched[n] | lowest_bit(starts[n] & ~matched[n]);
  }
}

template <std::size_t orders, bool with_lcs, class Word>
Word match_fixed(const Word* masks, Ids reference, MatchedOf<Word>& matched, Poll& poll) {
  std::array<Word, orders + 1> starts{};
  std::array<Word, orders + 1> found{};
  Word row = ~Word{};
  poll.in_parts(reference, [&](Ids part) {
    for (const Id id : part) {
      const Word positions = masks[id];
      if constexpr (orders > 0) advance_ngrams(positions, orders, starts.data(), found.data());
      if constexpr (with_lcs) row = next_row(row, positions);
    }
  });
  for (std::size_t n = 0; n < orders; ++n) matched[n] = found[n];
  return ~row;
}

template <bool with_lcs, class Word>
Word match_any(const Word* masks, Ids reference, std::size_t orders, MatchedOf<Word>& matched,
               Poll& poll) {
  MatchedOf<Word> starts{};
  matched.fill(Word{});
  Word row = ~Word{};
  poll.in_parts(reference, [&](Ids part) {
    for (const Id id : part) {
      const Word positions = masks[id];
      advance_ngrams(positions, orders, starts.data(), matched.data());
      if constexpr (with_lcs) row = next_row(row, positions);
    }
  });
  return ~row;
}

/// Matches each n-gram of a reference with the first equal n-gram of the prediction that is still
/// free, for orders 1 to `orders`. The number of matches does not depend on this choice: it is the
/// size of the intersection of two multisets.
///
/// Args:
///   masks: positions of the prediction by id; that of kUnknown is 0.
///
/// Returns: as many one bits as the LCS has tokens, if `with_lcs`.
template <bool with_lcs, class Word>
Word match_short(const Word* masks, Ids reference, std::size_t orders, MatchedOf<Word>& matched,
                 Poll& poll) {
  switch (orders) {
    case 0:
      return match_fixed<0, with_lcs>(masks, reference, matched, poll);
    case 1:
      return match_fixed<1, with_lcs>(masks, reference, matched, poll);
    case 2:
      return match_fixed<2, with_lcs>(masks, reference, matched, poll);
    case 3:
      return match_fixed<3, with_lcs>(masks, reference, matched, poll);
    case 4:
      return match_fixed<4, with_lcs>(masks, reference, matched, poll);
    default:
      return match_any<with_lcs>(masks, reference, orders, matched, poll);
  }
}

// Fast path: equals NgramOverlap and LongLcs. A pair of XSum sentences takes 0.40 µs in all instead
// of 0.61.
template <class Word>
class ShortPrediction {
 public:
  explicit ShortPrediction(Poll& poll) : poll_(poll) {}

  /// `distinct`: the largest id of all, which may be an id of a word that only a sentence has.
  static bool fits(std::size_t tokens, std::size_t distinct) {
    return tokens <= kBits && distinct <= kBits;
  }

  /// `distinct`: the largest id in `tokens`.
  void assign(Ids tokens, std::size_t distinct) {
    std::fill_n(masks_.begin(), distinct + 1, Word{});
    set_positions(tokens, masks_.data());
  }

  /// Matches a reference as match_short does. Returns the length of the LCS, if `with_lcs`.
  template <bool with_lcs>
  std::size_t match(Ids reference, std::size_t orders, MatchedOf<Word>& matched) const {
    return count_ones(match_short<with_lcs>(masks_.data(), reference, orders, matched, poll_));
  }

 private:
  static constexpr std::size_t kBits = 8 * sizeof(Word);

  Poll& poll_;
  std::array<Word, kBits + 1> masks_;  // by id
};

}  // namespace bleu_rouge
