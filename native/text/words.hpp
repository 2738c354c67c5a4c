// Words as keys: up to 16 bytes in two registers; a longer word by its hash and its bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/hashes.hpp"
#include "text/scan.hpp"

namespace bleu_rouge {

/// A word to look up. Two words are equal if all members but `bytes` are equal and, for long words,
/// also their bytes.
struct Word {
  std::uint64_t low;
  std::uint64_t high;
  std::uint32_t length;
  const char* bytes;  // only of a word longer than kShortWord; valid until the next word is read

  bool is_long() const { return length > kShortWord; }
};

/// Makes the key of at most kShortWord bytes.
inline Word make_short_word(std::string_view bytes) {
  Word word{0, 0, static_cast<std::uint32_t>(bytes.size()), bytes.data()};
  std::memcpy(&word.low, bytes.data(), bytes.size() < 8 ? bytes.size() : 8);
  if (bytes.size() > 8) std::memcpy(&word.high, bytes.data() + 8, bytes.size() - 8);
  return word;
}

/// Makes the key of any bytes, which are read one register at a time.
inline Word make_word(std::string_view bytes) {
  if (bytes.size() <= kShortWord) return make_short_word(bytes);
  const HashSeed& seed = process_seed();
  Word word{0, 0, static_cast<std::uint32_t>(bytes.size()), bytes.data()};
  for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t part = 0;
    std::memcpy(&part, bytes.data() + at, sizeof(part));
    word.low = mix(word.low ^ part, at, seed);
  }
  std::memcpy(&word.high, bytes.data() + bytes.size() - 8, sizeof(word.high));
  return word;
}

/// Writes the bytes of a short word to `bytes`, which has room for kShortWord bytes.
inline std::string_view spell_short(const Word& word, char* bytes) {
  std::memcpy(bytes, &word.low, sizeof(word.low));
  std::memcpy(bytes + sizeof(word.low), &word.high, sizeof(word.high));
  return {bytes, word.length};
}

}  // namespace bleu_rouge
