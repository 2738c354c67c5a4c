// Bit-parallel longest common subsequence: of two texts, and of all pairs of their sentences.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "base/bits.hpp"
#include "base/buffer.hpp"
#include "base/poll.hpp"
#include "counts/ids.hpp"
#include "counts/sentences.hpp"

namespace bleu_rouge {

using Bits = std::span<const std::uint64_t>;

// A table of up to this many words is computed as a whole; larger tables would take memory
// quadratic in the length of the texts. The fuzzer sets it low, so that short texts test the code
// for long ones.
#if defined(BLEU_ROUGE_MOST_WHOLE_WORDS)
inline constexpr std::size_t kMostWholeWords = BLEU_ROUGE_MOST_WHOLE_WORDS;
#else
inline constexpr std::size_t kMostWholeWords = 1 << 13;
#endif

// A mask for each id would take memory quadratic in the length of the sequence. So only ids that
// occur more often than a mask has words get a stored mask; there are at most 64 such ids. For any
// other id the positions are listed, and written into a shared mask on request, in fewer steps than
// reading the mask takes. In a short sequence all masks together are small, so every id gets a
// stored mask.
class PositionMasks {
 public:
  /// `distinct`: the largest id of all.
  void assign(Ids sequence, std::size_t distinct) {
    words_ = words_for(sequence.size());
    places_.assign(distinct + 1, Place{0, 0, 0});
    std::size_t kinds = 0;
    for (const Id id : sequence) kinds += places_[id].count++ == 0 ? 1 : 0;
    const std::size_t least = kinds * words_ <= kMostWholeWords ? 0 : words_;

    std::size_t masks = 0;
    std::uint32_t listed = 0;
    for (Place& place : places_.span()) {
      if (place.count > least) {
        place.mask = static_cast<std::uint32_t>(++masks);
      } else {
        place.first = listed;
        listed += place.count;
      }
    }
    masks_.assign(masks * words_, 0);
    positions_.clear();
    positions_.extend(listed);
    scratch_.assign(words_, 0);
    scattered_ = {};
    for (std::size_t position = 0; position < sequence.size(); ++position) {
      Place& place = places_[sequence[position]];
      if (place.mask != 0) {
        set(masks_.span().subspan((place.mask - 1) * words_, words_), position);
      } else {
        positions_[place.first++] = static_cast<std::uint32_t>(position);
      }
    }
    for (Place& place : places_.span()) {
      if (place.mask == 0) place.first -= place.count;
    }
  }

  std::size_t words() const { return words_; }

  bool contains(Id id) const { return places_[id].count != 0; }

  /// The mask of an id; valid until the next call.
  Bits of(Id id) {
    const Place& place = places_[id];
    if (place.mask != 0) return masks_.view().subspan((place.mask - 1) * words_, words_);
    for (const std::uint32_t position : scattered_) scratch_[position / kWordBits] = 0;
    scattered_ = positions_.view().subspan(place.first, place.count);
    for (const std::uint32_t position : scattered_) set(scratch_.span(), position);
    return scratch_.view();
  }

 private:
  struct Place {
    std::uint32_t count;
    std::uint32_t mask;   // number of the mask, from 1; 0 if the positions are listed
    std::uint32_t first;  // index of the first listed position
  };

  static void set(std::span<std::uint64_t> bits, std::size_t position) {
    bits[position / kWordBits] |= std::uint64_t{1} << (position % kWordBits);
  }

  std::size_t words_ = 0;
  Buffer<Place> places_;  // by id
  Buffer<std::uint64_t> masks_;
  Buffer<std::uint32_t> positions_;
  Buffer<std::uint64_t> scratch_;
  std::span<const std::uint32_t> scattered_;  // the positions in scratch_
};

// Source: Hyyrö (2004), "Bit-Parallel LCS-length Computation Revisited". The bits of a row are the
// positions of one sequence. After some tokens of the other sequence, bit i is 0 exactly if the
// first i + 1 tokens have a longer LCS with these tokens than the first i tokens have.

/// The row after one more token; `Word` is std::uint64_t or Lanes.
template <class Word>
Word next_row(Word row, Word positions) {
  const Word taken = row & positions;
  return (row + taken) | (row - taken);
}

/// The same for `words` words; `from` and `to` may be the same.
inline void next_row(const std::uint64_t* from, const std::uint64_t* positions, std::size_t words,
                     std::uint64_t* to) {
  unsigned char carry = 0;
  for (std::size_t word = 0; word < words; ++word) {
    const std::uint64_t row = from[word];
    const std::uint64_t sum = add_with_carry(row, row & positions[word], carry);
    to[word] = sum | (row & ~positions[word]);
  }
}

inline void next_row(Bits from, Bits positions, std::span<std::uint64_t> to) {
  next_row(from.data(), positions.data(), positions.size(), to.data());
}

/// LCS of a prediction with each of its references, for predictions of any length.
class LongLcs {
 public:
  explicit LongLcs(Poll& poll) : poll_(poll) {}

  /// `distinct`: the largest id of all.
  void assign(Ids prediction, std::size_t distinct) {
    prediction_ = prediction;
    masks_.assign(prediction, distinct);
  }

  std::int64_t length(Ids reference) {
    std::int64_t length = 0;
    // Fast path: a text is its own LCS. Duplicates are long and equal, and a pool counts each text
    // with itself once.
    if (std::ranges::equal(prediction_, reference)) {
      return static_cast<std::int64_t>(reference.size());
    }
    const auto is_fixed = [&]<std::size_t... less>(std::index_sequence<less...>) {
      return ((masks_.words() == less + 1 && (length = length_of<less + 1>(reference), true)) ||
              ...);
    }(std::make_index_sequence<kFixedWords>{});
    return is_fixed ? length : length_of_any(reference);
  }

 private:
  static constexpr std::size_t kFixedWords = 8;

  /// The length for positions of exactly `words` words.
  // Fast path: equals length_of_any. ROUGE-L of a pair of long documents takes 170,001 instructions
  // instead of 190,737.
  template <std::size_t words>
  std::int64_t length_of(Ids reference) {
    std::array<std::uint64_t, words> row;
    row.fill(~std::uint64_t{0});
    poll_.in_parts(reference, [&](Ids part) {
      for (const Id id : part) {
        if (id == kUnknown) continue;
        const auto positions = masks_.of(id).first<words>();
        // Separate loops, so that no other instruction changes the carry between two additions.
        std::array<std::uint64_t, words> taken;
        std::array<std::uint64_t, words> sum;
        for (std::size_t word = 0; word < words; ++word) taken[word] = row[word] & positions[word];
        unsigned char carry = 0;
        for (std::size_t word = 0; word < words; ++word) {
          sum[word] = add_with_carry(row[word], taken[word], carry);
        }
        for (std::size_t word = 0; word < words; ++word) {
          row[word] = sum[word] | (row[word] ^ taken[word]);
        }
      }
    });
    return count_zeros(row);
  }

  std::int64_t length_of_any(Ids reference) {
    poll_.did(masks_.words());
    row_.assign(masks_.words(), ~std::uint64_t{0});
    for (const Id id : reference) {
      poll_.did(masks_.words());
      if (id != kUnknown) next_row(row_.view(), masks_.of(id), row_.span());
    }
    return count_zeros(row_.view());
  }

  static std::int64_t count_zeros(Bits row) {
    std::int64_t zeros = 0;
    for (const std::uint64_t word : row) zeros += count_ones(~word);
    return zeros;
  }

  Poll& poll_;
  Ids prediction_;
  PositionMasks masks_;
  Buffer<std::uint64_t> row_;
};

/// Removes the tokens of a text that another text does not have. They match nothing, so the LCS of
/// both texts stays the same.
// Fast path: equals the LCS of the whole texts. ROUGE-L of a pair of long documents takes 170,001
// instructions instead of 222,713, and of a pair of summaries 14,415 instead of 14,542.
class SharedTokens {
 public:
  /// `distinct`: the largest id of all.
  ///
  /// Returns: the tokens of `text` that `other` has, in order; valid until the next call.
  Ids keep(Ids text, Ids other, std::size_t distinct) {
    is_shared_.assign(distinct + 1, 0);
    for (const Id id : other) is_shared_[id] = 1;
    is_shared_[kUnknown] = 0;
    kept_.clear();
    Id* const kept = kept_.extend(text.size()).data();
    std::size_t count = 0;
    for (const Id id : text) {
      kept[count] = id;
      count += is_shared_[id];
    }
    return {kept, count};
  }

 private:
  Buffer<std::uint8_t> is_shared_;  // by id: 1 if the other text has it
  Buffer<Id> kept_;
};

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
