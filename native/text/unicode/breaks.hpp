// Classes of characters for finding words and grapheme clusters, as the regex package has them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "text/block.hpp"
#include "unicode_tables.hpp"

namespace bleu_rouge {

// The order of these classes is that of unicode_tables.py.

/// What a character does to the words around it: the property Word_Break (UAX #29), except that
/// marks and letters are divided further.
enum class WordBreak : std::uint8_t {
  kOther,
  kLetter,
  kHebrew,
  kNumber,
  kKatakana,
  kConnector,     // ExtendNumLet, such as "_"
  kMidLetter,     // joins letters, such as ":"
  kMidNumber,     // joins numbers, such as ","
  kMidEither,     // joins letters or numbers, such as "."
  kSingleQuote,
  kDoubleQuote,
  kMark,          // a mark or a non-joiner; belongs to the character before it
  kStackingSign,  // a mark that stacks the next letter
  kFormat,        // belongs to the character before it, and is not a mark
  kCharacter,     // a word by itself, such as an ideograph
  kComplex,       // a letter or sign of class SA, such as Thai
};
inline constexpr std::size_t kWordBreaks = 16;

/// What a character does to the clusters around it: the properties Grapheme_Cluster_Break,
/// Indic_Conjunct_Break and Extended_Pictographic (UAX #29).
enum class ClusterBreak : std::uint8_t {
  kOther,
  kControl,  // also a carriage return and a newline
  kNonJoiner,
  kExtend,
  kLinker,
  kJoiner,
  kSpacingMark,
  kPrepend,
  kLeadingJamo,
  kVowelJamo,
  kTrailingJamo,
  kOpenSyllable,
  kClosedSyllable,
  kRegional,
  kPictograph,
  kConsonant,
  kSpacingLinker,  // a linker that starts a cluster
};
inline constexpr std::size_t kClusterBreaks = 17;

enum class Category : std::uint8_t { kOther, kNumber, kPunctuation, kSymbol };

/// The classes of characters, by the number that kBreakPages has for them.
class BreakRecord {
 public:
  explicit constexpr BreakRecord(std::size_t number) : bits_(kBreakRecords[number]) {}

  constexpr WordBreak word_break() const { return static_cast<WordBreak>(bits_ & 0xFU); }
  constexpr bool is_letter_or_number() const { return (bits_ >> 4 & 1U) != 0; }
  constexpr ClusterBreak cluster_break() const {
    return static_cast<ClusterBreak>(bits_ >> 5 & 0x1FU);
  }
  /// Whether the character is white space for str.isspace.
  constexpr bool is_space() const { return (bits_ >> 10 & 1U) != 0; }
  constexpr Category category() const { return static_cast<Category>(bits_ >> 11); }

 private:
  std::uint32_t bits_;
};

// Tables that have a row for each state have a column for each record.
inline constexpr std::size_t kBreakColumns = 64;
static_assert(kBreakRecords.size() <= kBreakColumns);

/// A character of a text: the number of its record, and how many bytes it has.
struct BreakCharacter {
  std::size_t record;
  std::size_t length;
};

/// The character that starts at `at`, which must be less than the size of the text.
inline BreakCharacter read_character(std::string_view text, std::size_t at) {
  const auto byte = [text, at](std::size_t index) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[at + index]));
  };
  const auto on_page = [](std::uint32_t page, std::uint32_t last) {
    return std::size_t{kBreakPages[page << 6 | (last & 0x3FU)]};
  };
  static_assert(kBreakRows[0] == 0 && kBreakRows[1] == 1, "the first two pages are ASCII");
  const std::uint32_t lead = byte(0);
  const std::size_t left = text.size() - at;
  if (lead < 0x80) return {kBreakPages[lead], 1};
  if (0xE0 <= lead && lead < 0xF0 && left >= 3) {
    return {on_page(kBreakRows[(lead & 0xFU) << 6 | (byte(1) & 0x3FU)], byte(2)), 3};
  }
  if (0xC0 <= lead && lead < 0xE0 && left >= 2) {
    return {on_page(kBreakRows[lead & 0x1FU], byte(1)), 2};
  }
  if (lead >= 0xF0 && left >= 4) {
    const std::uint32_t plane = (lead & 0x7U) << 6 | (byte(1) & 0x3FU);
    const std::uint32_t row = plane < kBreakPlanes.size() ? kBreakPlanes[plane] : 0U;
    return {on_page(kBreakRows[row << 6 | (byte(2) & 0x3FU)], byte(3)), 4};
  }
  // Not UTF-8: a control character, which joins nothing.
  return {kBreakPages[0], 1};
}

/// Whether ASCII starts at `at`, long enough to read it in a block.
inline bool starts_with_ascii(std::string_view text, std::size_t at) {
  std::uint64_t bytes = 0;
  if (text.size() - at < sizeof(bytes)) return false;
  std::memcpy(&bytes, text.data() + at, sizeof(bytes));
  return (bytes & 0x8080808080808080U) == 0;
}

/// The bytes from `at` on, with spaces after the end of the text.
inline Block read_block(std::string_view text, std::size_t at) {
  if (text.size() - at >= kBlockBytes) [[likely]] return Block(text.data() + at);
  std::array<char, kBlockBytes> bytes;
  bytes.fill(' ');
  std::memcpy(bytes.data(), text.data() + at, text.size() - at);
  return Block(bytes.data());
}

}  // namespace bleu_rouge
