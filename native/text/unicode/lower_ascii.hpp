// The lower case of ASCII, 8 bytes at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/bits.hpp"

namespace bleu_rouge {

/// Puts each ASCII letter among 8 bytes into lower case.
inline std::uint64_t lower_ascii(std::uint64_t bytes) {
  constexpr std::uint64_t kOnes = 0x0101010101010101U;
  const std::uint64_t low_bits = bytes & (0x7F * kOnes);
  // The highest bit of each byte: whether its other bits are at least "A", or after "Z".
  const std::uint64_t from_a = low_bits + (0x80 - 'A') * kOnes;
  const std::uint64_t after_z = low_bits + (0x7F - 'Z') * kOnes;
  const std::uint64_t upper = (from_a ^ after_z) & ~bytes & (0x80 * kOnes);
  return bytes | upper >> 2;
}

/// Folds at most 8 bytes of ASCII, and returns how many.
inline std::size_t lower_ascii_run(std::string_view text, std::size_t at, char* out) {
  constexpr std::uint64_t kBeyond = 0x8080808080808080U;
  std::uint64_t bytes = 0;
  if (text.size() - at < sizeof(bytes)) [[unlikely]] {
    bytes = static_cast<unsigned char>(text[at]);
    if ((bytes & kBeyond) != 0) return 0;
    *out = static_cast<char>(lower_ascii(bytes));
    return 1;
  }
  std::memcpy(&bytes, text.data() + at, sizeof(bytes));
  const std::uint64_t beyond = bytes & kBeyond;
  if ((beyond & 0x80) != 0) return 0;
  // Fast path: equals folding one byte after the other.
  bytes = lower_ascii(bytes);
  std::memcpy(out, &bytes, sizeof(bytes));
  return beyond == 0 ? sizeof(bytes) : lowest_position(beyond) / 8;
}

}  // namespace bleu_rouge
