// Bit-parallel longest common subsequence.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

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

/// The same for more positions than a word has; `from` and `to` may be the same.
inline void next_row(Bits from, Bits positions, std::span<std::uint64_t> to) {
  std::uint64_t carry = 0;
  for (std::size_t word = 0; word < positions.size(); ++word) {
    const std::uint64_t row = from[word];
    const std::uint64_t taken = row & positions[word];
    const std::uint64_t partial = row + taken;
    const std::uint64_t sum = partial + carry;
    carry = (partial < row ? 1U : 0U) | (sum < partial ? 1U : 0U);
    to[word] = sum | (row - taken);
  }
}

/// LCS of a prediction with each of its references, for predictions of any length.
class LongLcs {
 public:
  explicit LongLcs(Poll& poll) : poll_(poll) {}

  /// `distinct`: the largest id of all.
  void assign(Ids prediction, std::size_t distinct) { masks_.assign(prediction, distinct); }

  std::int64_t length(Ids reference) {
    poll_.did(masks_.words());
    row_.assign(masks_.words(), ~std::uint64_t{0});
    for (const Id id : reference) {
      poll_.did(masks_.words());
      if (id != kUnknown) next_row(row_.view(), masks_.of(id), row_.span());
    }
    std::int64_t zeros = 0;
    for (const std::uint64_t word : row_.view()) zeros += count_ones(~word);
    return zeros;
  }

 private:
  Poll& poll_;
  PositionMasks masks_;
  Buffer<std::uint64_t> row_;
};

}  // namespace bleu_rouge
