// A text in the memory of its owner, and its UTF-8.
//
// A lone surrogate is encoded by the formula of UTF-8 as three bytes (ED A0..BF xx, Python's
// "surrogatepass"), and is a character like any other. The tokens of bytes that are not UTF-8 are
// not defined, but nothing is read beyond the end of the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "base/buffer.hpp"
#include "base/poll.hpp"

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

/// The units of a text: bytes of UTF-8, or code points of 1, 2 or 4 bytes, as in a Python str. A
/// lone surrogate is a code point like any other.
enum class Units : std::uint8_t { kUtf8 = 0, kOneByte = 1, kTwoBytes = 2, kFourBytes = 4 };

/// A view of a text in the memory of its owner.
struct Text {
  const void* data;
  std::uint32_t length;  // in units
  Units units;
};

/// The most bytes of UTF-8 that one unit can take.
inline std::size_t most_bytes_of(Units units) {
  if (units == Units::kOneByte || units == Units::kTwoBytes) {
    return static_cast<std::size_t>(units) + 1;
  }
  return units == Units::kUtf8 ? 1 : 4;
}

/// Writes a code point (also a surrogate) as UTF-8; returns the end.
inline char* write_utf8(std::uint32_t code, char* out) {
  const auto continuation = [](std::uint32_t bits) {
    return static_cast<char>(0x80U | (bits & 0x3FU));
  };
  if (code < 0x80) {
    *out++ = static_cast<char>(code);
  } else if (code < 0x800) {
    *out++ = static_cast<char>(0xC0U | code >> 6);
    *out++ = continuation(code);
  } else if (code < 0x10000) {
    *out++ = static_cast<char>(0xE0U | code >> 12);
    *out++ = continuation(code >> 6);
    *out++ = continuation(code);
  } else {
    *out++ = static_cast<char>(0xF0U | code >> 18);
    *out++ = continuation(code >> 12);
    *out++ = continuation(code >> 6);
    *out++ = continuation(code);
  }
  return out;
}

/// Copies a run of ASCII, 8 bytes of the text at a time. Returns where it stopped: less than 8
/// bytes before the end of the run.
template <class Unit>
const Unit* copy_ascii(const Unit* unit, const Unit* end, char*& out) {
  constexpr auto kAtOnce = static_cast<std::ptrdiff_t>(sizeof(std::uint64_t) / sizeof(Unit));
  constexpr std::uint64_t kBeyond = sizeof(Unit) == 1   ? 0x8080808080808080U
                                    : sizeof(Unit) == 2 ? 0xFF80FF80FF80FF80U
                                                        : 0xFFFFFF80FFFFFF80U;
  for (; end - unit >= kAtOnce; unit += kAtOnce, out += kAtOnce) {
    std::uint64_t units = 0;
    std::memcpy(&units, unit, sizeof(units));
    if ((units & kBeyond) != 0) break;
    if constexpr (sizeof(Unit) == 2) units = (units | units >> 8) & 0x0000FFFF0000FFFFU;
    if constexpr (sizeof(Unit) == 2) units |= units >> 16;
    if constexpr (sizeof(Unit) == 4) units |= units >> 24;
    std::memcpy(out, &units, kAtOnce);
  }
  return unit;
}

/// Calls `use` with the code points of a text that is not UTF-8, in a span of their width.
template <class Use>
auto with_codes(const void* data, std::size_t length, Units units, Use&& use) {
  if (units == Units::kOneByte) return use(std::span(static_cast<const std::uint8_t*>(data), length));
  if (units == Units::kTwoBytes) {
    return use(std::span(static_cast<const std::uint16_t*>(data), length));
  }
  return use(std::span(static_cast<const std::uint32_t*>(data), length));
}

/// How many bytes of UTF-8 a text of any length takes.
inline std::size_t count_utf8(const void* data, std::size_t length, Units units) {
  if (units == Units::kUtf8) return length;
  return with_codes(data, length, units, [](auto codes) {
    std::size_t bytes = 0;
    for (const std::uint32_t code : codes) {
      bytes += code < 0x80 ? 1U : code < 0x800 ? 2U : code < 0x10000 ? 3U : 4U;
    }
    return bytes;
  });
}

/// The UTF-8 of a text: the text itself, or a copy in `scratch`.
inline std::string_view read_utf8(const Text& text, Buffer<char>& scratch, Poll& poll) {
  if (text.units == Units::kUtf8) return {static_cast<const char*>(text.data), text.length};
  scratch.clear();
  char* const first = scratch.extend(text.length * most_bytes_of(text.units)).data();
  char* out = first;
  with_codes(text.data, text.length, text.units, [&](auto codes) {
    poll.in_parts(codes, [&out](auto part) {
      const auto* unit = part.data();
      const auto* const end = unit + part.size();
      while (unit != end) {
        unit = copy_ascii(unit, end, out);
        // Copy single units: the last ASCII units of the run, and the units beyond ASCII after it.
        bool is_beyond = false;
        while (unit != end) {
          const std::uint32_t code = *unit;
          if (code < 0x80 && is_beyond) break;
          is_beyond = code >= 0x80;
          out = write_utf8(code, out);
          ++unit;
        }
      }
    });
  });
  return {first, static_cast<std::size_t>(out - first)};
}

}  // namespace bleu_rouge
