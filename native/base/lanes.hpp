// Four machine words that are computed together.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace bleu_rouge {

/// Words of four computations, with the operators of a word. Compilers use vector registers.
struct Lanes : std::array<std::uint64_t, 4> {
  template <class Operation>
  static Lanes map(const Lanes& one, const Lanes& other, Operation operation) {
    return {{operation(one[0], other[0]), operation(one[1], other[1]), operation(one[2], other[2]),
             operation(one[3], other[3])}};
  }
  friend Lanes operator+(const Lanes& one, const Lanes& other) {
    return map(one, other, std::plus{});
  }
  friend Lanes operator-(const Lanes& one, const Lanes& other) {
    return map(one, other, std::minus{});
  }
  friend Lanes operator&(const Lanes& one, const Lanes& other) {
    return map(one, other, std::bit_and{});
  }
  friend Lanes operator|(const Lanes& one, const Lanes& other) {
    return map(one, other, std::bit_or{});
  }
  friend Lanes operator~(const Lanes& one) { return {{~one[0], ~one[1], ~one[2], ~one[3]}}; }
  friend Lanes operator>>(const Lanes& one, std::size_t bits) {
    return {{one[0] >> bits, one[1] >> bits, one[2] >> bits, one[3] >> bits}};
  }
};

/// How many computations a word has; `Word` is std::uint64_t or Lanes.
template <class Word>
inline constexpr std::size_t kLanes = sizeof(Word) / sizeof(std::uint64_t);

inline std::uint64_t lane_of(std::uint64_t word, std::size_t) { return word; }
inline std::uint64_t lane_of(const Lanes& words, std::size_t lane) { return words[lane]; }

inline void set_bits(std::uint64_t& word, std::uint64_t bits, std::size_t) { word |= bits; }
inline void set_bits(Lanes& words, std::uint64_t bits, std::size_t lane) { words[lane] |= bits; }

}  // namespace bleu_rouge
