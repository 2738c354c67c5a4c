// Characters of a text in UTF-8, and their kinds in the version of Unicode that Python has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "text/unicode/kinds.hpp"
#include "unicode_tables.hpp"

namespace bleu_rouge {

/// The most bytes of a character in UTF-8.
inline constexpr std::size_t kMostCharacterBytes = 4;

struct Character {
  std::uint32_t code;
  std::uint32_t length;  // in bytes
};

// A character that is cut off by the end of the text; no table knows it.
inline constexpr std::uint32_t kCutCharacter = 0x1FFFFF;

/// The character that starts at `at`, which is before the end of the text.
///
/// Bytes that are not UTF-8 give some code point of at most 21 bits.
inline Character character_at(std::string_view text, std::size_t at) {
  const auto byte = [text, at](std::size_t index) -> std::uint32_t {
    return static_cast<unsigned char>(text[at + index]);
  };
  const auto tail = [byte](std::size_t index) { return byte(index) & 0x3FU; };
  const std::uint32_t lead = byte(0);
  const std::size_t left = text.size() - at;
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xE0) {
    if (left >= 2) return {(lead & 0x1FU) << 6 | tail(1), 2};
  } else if (lead < 0xF0) {
    if (left >= 3) return {(lead & 0x0FU) << 12 | tail(1) << 6 | tail(2), 3};
  } else if (left >= 4) {
    return {(lead & 0x07U) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3), 4};
  }
  return {kCutCharacter, static_cast<std::uint32_t>(left)};
}

/// Looks a character up in the three arrays of a table; 0 for a character after the last row.
template <class Tops, class Rows, class Pages>
std::uint32_t look_up(const Tops& tops, const Rows& rows, const Pages& pages, std::uint32_t code) {
  constexpr std::uint32_t kBits = 4;  // _PAGE of unicode_tables.py is 16
  constexpr std::uint32_t kLow = (1U << kBits) - 1;
  const std::uint32_t top = code >> (2 * kBits);
  if (top >= tops.size()) return 0;
  const std::uint32_t row = rows[std::size_t{tops[top]} << kBits | (code >> kBits & kLow)];
  return pages[std::size_t{row} << kBits | (code & kLow)];
}

/// The kind of a character for the folding.
inline const FoldKind& fold_kind(std::uint32_t code) {
  return kFoldKinds[look_up(kFoldTops, kFoldRows, kFoldPages, code)];
}

/// The decomposition of a character if it has one, or else the folding that is spelled out, in
/// UTF-8. Only for a character with one of these two flags.
inline std::string_view spelling_of(std::uint32_t code, bool skips_first = false) {
  const auto at = [](std::size_t place) {
    // Places start at 1, and a spelling at its length.
    const auto* const bytes = reinterpret_cast<const char*>(kSpellings.data());
    return std::string_view(bytes + place, kSpellings[place - 1]);
  };
  const std::size_t place = look_up(kSpellingTops, kSpellingRows, kSpellingPages, code);
  const std::string_view first = at(place);
  return skips_first ? at(place + first.size() + 1) : first;
}

}  // namespace bleu_rouge
