// The normalization form NFKC of a segment of a text.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/buffer.hpp"
#include "base/poll.hpp"
#include "text/unicode/characters.hpp"

namespace bleu_rouge {

/// Hangul syllables are composed by a formula: a leading consonant, a vowel and, in all but one of
/// 28 syllables, a trailing consonant.
// Source: The Unicode Standard, section 3.12.
namespace hangul {
inline constexpr std::uint32_t kSyllable = 0xAC00;
inline constexpr std::uint32_t kLeading = 0x1100;
inline constexpr std::uint32_t kVowel = 0x1161;
inline constexpr std::uint32_t kTrailing = 0x11A7;  // one before the first
inline constexpr std::uint32_t kLeadings = 19;
inline constexpr std::uint32_t kVowels = 21;
inline constexpr std::uint32_t kTrailings = 28;  // with none
inline constexpr std::uint32_t kSyllables = kLeadings * kVowels * kTrailings;

/// The syllable of two characters; 0 if they have none.
inline std::uint32_t compose(std::uint32_t first, std::uint32_t second) {
  // A difference below 0 wraps around to a large number.
  if (first - kLeading < kLeadings && second - kVowel < kVowels) {
    return kSyllable + ((first - kLeading) * kVowels + second - kVowel) * kTrailings;
  }
  const std::uint32_t syllable = first - kSyllable;
  const std::uint32_t trailing = second - kTrailing;
  const bool is_open = syllable < kSyllables && syllable % kTrailings == 0;
  return is_open && trailing - 1 < kTrailings - 1 ? first + trailing : 0;
}
}  // namespace hangul

/// The first slot for a pair of characters in kCompositions.
inline std::size_t first_slot(std::uint32_t first, std::uint32_t second) {
  const std::uint32_t mixed = first * 0x9E3779B1U ^ second * 0x85EBCA6BU;
  return static_cast<std::size_t>(std::uint64_t{mixed} * kCompositions.size() >> 32);
}

/// The composition of two characters; 0 if they have none.
inline std::uint32_t find_composition(std::uint32_t first, std::uint32_t second) {
  constexpr std::uint32_t kBits = 21;
  const std::uint64_t pair = std::uint64_t{first} << kBits | second;
  std::size_t slot = first_slot(first, second);
  for (; kCompositions[slot] != 0; slot = slot + 1 < kCompositions.size() ? slot + 1 : 0) {
    const std::uint64_t entry = kCompositions[slot];
    if (entry >> kBits == pair) return static_cast<std::uint32_t>(entry & ((1U << kBits) - 1));
  }
  return 0;
}

/// The characters of a segment with their combining classes, and its normalization.
class Segment {
 public:
  void clear() { items_.clear(); }
  std::size_t size() const { return items_.size(); }
  std::uint32_t operator[](std::size_t index) const { return code_of(items_[index]); }

  /// Appends the decomposition of a character.
  void decompose(std::uint32_t code) {
    const std::uint32_t syllable = code - hangul::kSyllable;
    if (syllable < hangul::kSyllables) {
      decompose_hangul(syllable);
      return;
    }
    const FoldKind& kind = fold_kind(code);
    if ((kind.flags & kDecomposes) == 0) {
      append(code, kind);
    } else {
      append_all(spelling_of(code));
    }
  }

  /// Appends the decomposition of the characters of a text.
  void decompose_all(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
      const Character character = character_at(text, at);
      decompose(character.code);
      at += character.length;
    }
  }

  /// Reorders the marks of the decomposed characters, and composes them. Takes linear time.
  void compose(Poll& poll) {
    order(poll);
    std::size_t written = 0;
    std::size_t starter = kNone;
    std::uint32_t last_class = 0;  // that of the item before, if it is not the starter
    for (const Item item : items_.view()) {
      const std::uint32_t combining = class_of(item);
      // Source: The Unicode Standard, section 3.11, D115: a mark is blocked by one before it that
      // has the same class or a higher one.
      if (starter != kNone && (last_class == 0 || last_class < combining)) {
        if (const std::uint32_t composed = compose_pair(items_[starter], item); composed != 0) {
          items_[starter] = composed;
          continue;
        }
      }
      if (combining == 0) starter = written;
      last_class = combining;
      items_[written++] = item;
    }
    poll.did(items_.size());
    items_.shrink(written);
  }

 private:
  /// A code point below the combining class.
  using Item = std::uint32_t;

  static constexpr std::uint32_t kClassShift = 24;
  static constexpr std::size_t kNone = ~std::size_t{0};
  // More marks in a row are sorted by counting.
  static constexpr std::size_t kFewMarks = 16;

  static std::uint32_t code_of(Item item) { return item & ((1U << kClassShift) - 1); }
  static std::uint32_t class_of(Item item) { return item >> kClassShift; }

  void append(std::uint32_t code, const FoldKind& kind) {
    items_.push_back(code | std::uint32_t{kind.combining} << kClassShift);
  }

  /// Appends the characters of a decomposition.
  void append_all(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
      const Character character = character_at(text, at);
      append(character.code, fold_kind(character.code));
      at += character.length;
    }
  }

  void decompose_hangul(std::uint32_t syllable) {
    constexpr std::uint32_t kPerLeading = hangul::kVowels * hangul::kTrailings;
    const std::uint32_t trailing = syllable % hangul::kTrailings;
    items_.push_back(hangul::kLeading + syllable / kPerLeading);
    items_.push_back(hangul::kVowel + syllable % kPerLeading / hangul::kTrailings);
    if (trailing != 0) items_.push_back(hangul::kTrailing + trailing);
  }

  /// The composition of two items, of which the first is a starter; 0 if they have none.
  static std::uint32_t compose_pair(Item first, Item item) {
    const std::uint32_t second = code_of(item);
    if (const std::uint32_t syllable = hangul::compose(first, second); syllable != 0) {
      return syllable;
    }
    return find_composition(first, second);
  }

  /// Sorts each run of marks by combining class; marks of one class keep their order.
  void order(Poll& poll) {
    const std::span<Item> items = items_.span();
    for (std::size_t start = 0; start < items.size(); ++start) {
      std::size_t end = start;
      bool is_sorted = true;
      for (; end < items.size() && class_of(items[end]) != 0; ++end) {
        is_sorted &= end == start || class_of(items[end - 1]) <= class_of(items[end]);
      }
      if (!is_sorted) sort(items.subspan(start, end - start), poll);
      start = end;
    }
  }

  void sort(std::span<Item> marks, Poll& poll) {
    if (marks.size() <= kFewMarks) {
      for (std::size_t end = 1; end < marks.size(); ++end) {
        const Item mark = marks[end];
        std::size_t at = end;
        for (; at > 0 && class_of(marks[at - 1]) > class_of(mark); --at) marks[at] = marks[at - 1];
        marks[at] = mark;
      }
      return;
    }
    std::array<std::size_t, 256> starts{};  // by combining class: where its next mark goes
    for (const Item mark : marks) ++starts[class_of(mark)];
    std::size_t sum = 0;
    for (std::size_t& start : starts) {
      const std::size_t count = start;
      start = sum;
      sum += count;
    }
    sorted_.clear();
    const std::span<Item> sorted = sorted_.extend(marks.size());
    for (const Item mark : marks) sorted[starts[class_of(mark)]++] = mark;
    std::ranges::copy(sorted, marks.begin());
    poll.did(4 * marks.size());
  }

  Buffer<Item> items_;
  Buffer<Item> sorted_;
};

}  // namespace bleu_rouge
