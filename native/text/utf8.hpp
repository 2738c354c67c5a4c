// UTF-8: which bytes start a character, and which characters beyond ASCII matter to a tokenizer.
//
// A lone surrogate is encoded by the formula of UTF-8 as three bytes (ED A0..BF xx, Python's
// "surrogatepass"), and is a character like any other. The tokens of bytes that are not UTF-8 are
// not defined, but nothing is read beyond the end of the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bleu_rouge {

inline bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80; }

/// The number of bytes of the white space beyond ASCII that starts at `at`; 0 if none starts there.
inline std::size_t unicode_space_length(std::string_view text, std::size_t at) {
  // Parity: for Python's str.split U+0085, U+00A0, U+1680, U+2000 to U+200A, U+2028, U+2029,
  // U+202F, U+205F and U+3000 are white space; U+200B and U+FEFF are not.
  const auto byte = [text](std::size_t index) {
    return index < text.size() ? static_cast<unsigned char>(text[index]) : 0U;
  };
  const unsigned second = byte(at + 1);
  const unsigned third = byte(at + 2);
  switch (byte(at)) {
    case 0xC2:
      return second == 0x85 || second == 0xA0 ? 2 : 0;
    case 0xE1:
      return second == 0x9A && third == 0x80 ? 3 : 0;
    case 0xE2:
      if (second == 0x81) return third == 0x9F ? 3 : 0;
      if (second != 0x80) return 0;
      return (0x80 <= third && third <= 0x8A) || third == 0xA8 || third == 0xA9 || third == 0xAF
                 ? 3
                 : 0;
    case 0xE3:
      return second == 0x80 && third == 0x80 ? 3 : 0;
    default:
      return 0;
  }
}

// The two characters beyond ASCII whose lower case has an ASCII letter (str.lower of Python).
inline constexpr std::string_view kKelvinSign = "\xE2\x84\xAA";      // U+212A, "k"
inline constexpr std::string_view kCapitalIWithDot = "\xC4\xB0";     // U+0130, "i" and U+0307

}  // namespace bleu_rouge
