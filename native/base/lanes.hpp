// Several machine words that are computed together.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

namespace bleu_rouge {

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

/// Two words, in one vector register.
#if defined(__GNUC__)
// Fast path: equals LanesOf<2>, which g++ 12 does not always compile to vector instructions. A pair
// of long documents takes 371,798 instructions instead of 400,951 (bench/kernel.py).
using TwoWords = std::uint64_t __attribute__((vector_size(16)));
#else
using TwoWords = LanesOf<2>;
#endif

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
