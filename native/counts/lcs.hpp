// Bit-parallel longest common subsequence.
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
#include "counts/position_masks.hpp"

namespace bleu_rouge {

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

}  // namespace bleu_rouge
