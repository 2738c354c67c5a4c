// Hashes that nobody can predict, so that nobody can choose words that collide.
#pragma once

#include <cstdint>
#include <random>

namespace bleu_rouge {

/// Two secret numbers that decide the hashes of words. No result depends on them.
struct HashSeed {
  std::uint64_t left;
  std::uint64_t right;
};

inline HashSeed draw_seed() {
  std::random_device device;
  std::uniform_int_distribution<std::uint64_t> draw;
  const std::uint64_t left = draw(device);
  return {left, draw(device)};
}

/// The seed of this process, and of processes forked from it.
inline const HashSeed& process_seed() {
  static const HashSeed seed = draw_seed();
  return seed;
}

/// The two halves of the product of two 64-bit numbers, combined by XOR.
inline std::uint64_t multiply_fold(std::uint64_t left, std::uint64_t right) {
#if defined(__SIZEOF_INT128__)
  __extension__ using Product = unsigned __int128;
  const Product product = static_cast<Product>(left) * right;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
#else
  // The same from four products of 32 bits each.
  constexpr std::uint64_t kLow = 0xFFFFFFFFU;
  const std::uint64_t low = (left & kLow) * (right & kLow);
  const std::uint64_t first = (left >> 32) * (right & kLow) + (low >> 32);
  const std::uint64_t second = (left & kLow) * (right >> 32) + (first & kLow);
  const std::uint64_t high = (left >> 32) * (right >> 32) + (first >> 32) + (second >> 32);
  return high ^ (second << 32 | (low & kLow));
#endif
}

/// A hash of two numbers.
inline std::uint64_t mix(std::uint64_t left, std::uint64_t right, const HashSeed& seed) {
  // Both operands must be secret: if one were known, words could be chosen that make it 0, and then
  // the product is 0.
  return multiply_fold(left ^ seed.left, right ^ seed.right);
}

}  // namespace bleu_rouge
