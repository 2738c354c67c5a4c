// The kinds of characters for tokenize_intl and tokenize_zh, the tokenizers of marks.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "text/block.hpp"
#include "text/unicode/breaks.hpp"
#include "text/utf8.hpp"

namespace bleu_rouge {

enum class MarkKind : std::uint8_t {
  kWord,
  kNumber,
  kSpace,
  kAlone,   // always a token
  kMark,    // a token, except within numbers
  kHyphen,  // a token after a number
};

struct MarkCharacter {
  MarkKind kind;
  std::size_t length;
};

/// The characters of a block that are ASCII and not letters, digits or white space.
struct MarkMasks {
  std::uint64_t alone;
  std::uint64_t marks;
  std::uint64_t hyphens;
};

/// The characters of tokenize_intl: punctuation is a mark, and symbols are alone.
class InternationalKinds {
 public:
  static constexpr bool kStrips = false;

  static MarkCharacter read(std::string_view text, std::size_t at) {
    const BreakCharacter character = read_character(text, at);
    return {kKinds[character.record], character.length};
  }

  static MarkMasks read(const Block& block) {
    const std::uint64_t symbols = block.equal('$') | block.equal('+') | block.within('<', '>') |
                                  block.equal('^') | block.equal('`') | block.equal('|') |
                                  block.equal('~');
    return {symbols, block.within('!', '~') & ~block.letters_and_digits() & ~symbols, 0};
  }

 private:
  static constexpr auto kKinds = [] {
    std::array<MarkKind, kBreakRecords.size()> kinds{};
    for (std::size_t number = 0; number < kinds.size(); ++number) {
      const BreakRecord record(number);
      const Category category = record.category();
      kinds[number] = category == Category::kNumber        ? MarkKind::kNumber
                      : category == Category::kPunctuation ? MarkKind::kMark
                      : category == Category::kSymbol      ? MarkKind::kAlone
                      : record.is_space()                  ? MarkKind::kSpace
                                                           : MarkKind::kWord;
    }
    return kinds;
  }();
};

struct CodeRange {
  std::uint32_t first;
  std::uint32_t last;
};

// Parity: the ranges of text/rules.py, which has their reasons.
inline constexpr std::array<CodeRange, 17> kChineseRanges{{
    {0x2001, 0x2A6D}, {0x2E80, 0x2EFF}, {0x2F00, 0x2FDF}, {0x2FF0, 0x2FFF}, {0x3000, 0x303F},
    {0x3100, 0x312F}, {0x31A0, 0x31BF}, {0x31C0, 0x31EF}, {0x3200, 0x33FF}, {0x3400, 0x4DB5},
    {0x4E00, 0x9FBB}, {0xF900, 0xFA2D}, {0xFA30, 0xFA6A}, {0xFA70, 0xFAD9}, {0xFE10, 0xFE1F},
    {0xFE30, 0xFE4F}, {0xFF00, 0xFFEF},
}};

/// The characters of tokenize_zh: Chinese characters and most ASCII punctuation are alone.
class ChineseKinds {
 public:
  static constexpr bool kStrips = true;

  static MarkCharacter read(std::string_view text, std::size_t at) {
    const auto byte = [text, at](std::size_t index) {
      return static_cast<std::uint32_t>(static_cast<unsigned char>(text[at + index]));
    };
    const std::uint32_t lead = byte(0);
    const std::size_t left = text.size() - at;
    if (lead < 0x80) return {kAsciiKinds[lead], 1};
    if (0xE0 <= lead && lead < 0xF0 && left >= 3) {
      const std::uint32_t code = (lead & 0xFU) << 12 | (byte(1) & 0x3FU) << 6 | (byte(2) & 0x3FU);
      const bool is_space = code <= kLastSpace && unicode_space_length(text, at) != 0;
      return {is_space ? MarkKind::kSpace : find_kind(code), 3};
    }
    if (0xC0 <= lead && lead < 0xE0 && left >= 2) {
      const bool is_space = lead == 0xC2 && unicode_space_length(text, at) != 0;
      return {is_space ? MarkKind::kSpace : MarkKind::kWord, 2};
    }
    return {MarkKind::kWord, lead >= 0xF0 ? std::min<std::size_t>(left, 4) : 1};
  }

  static MarkMasks read(const Block& block) {
    const std::uint64_t marks = block.equal(',') | block.equal('.');
    const std::uint64_t hyphens = block.equal('-');
    const std::uint64_t others =
        block.letters_and_digits() | marks | hyphens | block.equal('\'');
    return {block.within('!', '~') & ~others, marks, hyphens};
  }

 private:
  static constexpr std::uint32_t kLastSpace = 0x3000;

  static MarkKind find_kind(std::uint32_t code) {
    // Fast path: equals looking in the ranges. Japanese takes 4.4 ns per character instead of 6.3.
    if (0x4E00 <= code && code <= 0x9FBB) return MarkKind::kAlone;
    if (code < 0x2001 || (0x3040 <= code && code < 0x3100) || (0xA000 <= code && code < 0xF900)) {
      return MarkKind::kWord;
    }
    const auto range = std::ranges::lower_bound(kChineseRanges, code, {}, &CodeRange::last);
    const bool is_chinese = range != kChineseRanges.end() && range->first <= code;
    return is_chinese ? MarkKind::kAlone : MarkKind::kWord;
  }

  static constexpr auto kAsciiKinds = [] {
    std::array<MarkKind, 128> kinds{};
    for (std::size_t code = 0; code < kinds.size(); ++code) {
      const auto within = [code](char first, char last) {
        return static_cast<std::size_t>(first) <= code && code <= static_cast<std::size_t>(last);
      };
      const bool is_letter = within('a', 'z') || within('A', 'Z');
      if (within('\t', '\r') || within('\x1C', ' ')) kinds[code] = MarkKind::kSpace;
      if (within('!', '~') && !is_letter) kinds[code] = MarkKind::kAlone;
      if (within('0', '9')) kinds[code] = MarkKind::kNumber;
    }
    kinds['\''] = MarkKind::kWord;
    kinds[','] = kinds['.'] = MarkKind::kMark;
    kinds['-'] = MarkKind::kHyphen;
    return kinds;
  }();
};

}  // namespace bleu_rouge
