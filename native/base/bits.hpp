// Count and find bits of machine words; several words that are computed together.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

namespace bleu_rouge {

inline constexpr std::size_t kWordBits = 64;

/// A word of twice as many bits, or of as many if the compiler has none.
#if defined(__SIZEOF_INT128__)
__extension__ typedef unsigned __int128 WideWord;
#else
using WideWord = std::uint64_t;
#endif
inline constexpr std::size_t kWideBits = 8 * sizeof(WideWord);

/// Number of one bits.
inline std::uint32_t count_ones(std::uint64_t bits) {
  // Fast path: equals std::popcount, which calls a library function if the compiler may not use the
  // instruction (baseline x86-64).
  bits -= (bits >> 1) & 0x5555555555555555U;
  bits = (bits & 0x3333333333333333U) + ((bits >> 2) & 0x3333333333333333U);
  bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0FU;
  return static_cast<std::uint32_t>((bits * 0x0101010101010101U) >> 56);
}

#if defined(__SIZEOF_INT128__)
inline std::uint32_t count_ones(WideWord bits) {
  return count_ones(static_cast<std::uint64_t>(bits)) +
         count_ones(static_cast<std::uint64_t>(bits >> kWordBits));
}
#endif

/// The lowest one bit, without the other bits; 0 for 0. `Word` is any word, or Lanes.
template <class Word>
Word lowest_bit(Word bits) {
  return bits & (Word{} - bits);
}

inline std::size_t lowest_position(std::uint64_t bits) {
  return static_cast<std::size_t>(std::countr_zero(bits));
}

inline std::size_t highest_position(std::uint64_t bits) {
  return kWordBits - 1 - static_cast<std::size_t>(std::countl_zero(bits));
}

/// The sum of two words and a carry of 0 or 1, which becomes the carry of the sum.
inline std::uint64_t add_with_carry(std::uint64_t one, std::uint64_t other, unsigned char& carry) {
  const std::uint64_t partial = one + other;
  const std::uint64_t sum = partial + carry;
  carry = partial < one || sum < partial ? 1 : 0;
  return sum;
}

/// How many words are needed for `count` bits.
inline std::size_t words_for(std::size_t count) { return (count + kWordBits - 1) / kWordBits; }

/// Words of several computations, with the operators of a word. Compilers use vector registers.
template <std::size_t count>
struct LanesOf : std::array<std::uint64_t, count> {
  template <class Operation>
  static LanesOf map(const LanesOf& one, const LanesOf& other, Operation operation) {
    return [&]<std::size_t... lane>(std::index_sequence<lane...>) {
      return LanesOf{{operation(one[lane], other[lane])...}};
    }(std::make_index_sequence<count>{});
  }
  friend LanesOf operator+(const LanesOf& one, const LanesOf& other) {
    return map(one, other, std::plus{});
  }
  friend LanesOf operator-(const LanesOf& one, const LanesOf& other) {
    return map(one, other, std::minus{});
  }
  friend LanesOf operator&(const LanesOf& one, const LanesOf& other) {
    return map(one, other, std::bit_and{});
  }
  friend LanesOf operator|(const LanesOf& one, const LanesOf& other) {
    return map(one, other, std::bit_or{});
  }
  friend LanesOf operator~(const LanesOf& one) {
    return map(one, one, [](std::uint64_t word, std::uint64_t) { return ~word; });
  }
  friend LanesOf operator>>(const LanesOf& one, std::size_t bits) {
    return map(one, one, [bits](std::uint64_t word, std::uint64_t) { return word >> bits; });
  }
};

using Lanes = LanesOf<4>;

/// How many computations a word has; `Word` is std::uint64_t or LanesOf.
template <class Word>
inline constexpr std::size_t kLanes = sizeof(Word) / sizeof(std::uint64_t);

inline std::uint64_t lane_of(std::uint64_t word, std::size_t) { return word; }
inline std::uint64_t lane_of(const Lanes& words, std::size_t lane) { return words[lane]; }

/// The word of one computation.
template <class Word>
struct LaneOf {
  using type = Word;
};
template <std::size_t count>
struct LaneOf<LanesOf<count>> {
  using type = std::uint64_t;
};

template <class Word>
void set_bits(Word& word, Word bits, std::size_t) {
  word |= bits;
}
template <std::size_t count>
void set_bits(LanesOf<count>& words, std::uint64_t bits, std::size_t lane) {
  words[lane] |= bits;
}

}  // namespace bleu_rouge
