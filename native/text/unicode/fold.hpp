// Fold a text: NFKC, case folding, NFKC again; equals fold_text of text/unicode.py.
//
// Most characters fold to one character and do not interact with their neighbours, so they are
// folded one by one. Only a segment in which characters may be composed, reordered or expanded is
// normalized.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "base/bits.hpp"
#include "base/buffer.hpp"
#include "base/poll.hpp"
#include "text/scan.hpp"
#include "text/text.hpp"
#include "text/unicode/characters.hpp"
#include "text/unicode/lower.hpp"

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

/// Folds texts as the Python that builds the kernel does.
class Folder {
 public:
  /// Returns the folded text, which is valid until the next call.
  std::string_view fold(std::string_view text, Poll& poll) {
    Place place{0, make_room(0, 0)};
    // Where the current segment starts, the combining class of its last character, and whether it
    // starts with a character that can be composed with a later one.
    Place segment = place;
    std::uint32_t last_class = 0;
    bool can_compose = false;

    while (place.at < text.size()) {
      const std::size_t stop = std::min(text.size(), place.at + kPollBytes);
      poll.did(stop - place.at);
      const std::size_t open = size_until(place.out) - size_until(segment.out);
      place.out = make_room(size_until(place.out), 0);
      segment.out = place.out - open;
      while (place.at < stop) {
        if (const std::size_t run = lower_ascii_run(text, place.at, place.out); run != 0) {
          place.at += run;
          place.out += run;
          segment = {place.at - 1, place.out - 1};
          last_class = 0;
          can_compose = true;
          continue;
        }
        const Character character = character_at(text, place.at);
        const FoldKind kind = fold_kind(character.code);
        const auto role = static_cast<FoldRole>(kind.role);
        if (role == FoldRole::kPlain) [[likely]] {
          // Fast path: equals the normalization of a segment whose marks are in order, if none is
          // composed: 5 ns per character of Bengali or Arabic with its marks.
          const bool is_mark = kind.combining != 0;
          const bool may_be_composed = can_compose && (kind.flags & kIsSecond) != 0;
          if (!may_be_composed && !(is_mark && kind.combining < last_class)) {
            if (!is_mark) {
              segment = place;
              can_compose = (kind.flags & kIsFirst) != 0;
            }
            last_class = kind.combining;
            copy(text, place.at, character.length, place.out);
            place.at += character.length;
            place.out += character.length;
            continue;
          }
        } else if (role != FoldRole::kJoined) {
          segment = place;
          last_class = kind.combining;
          can_compose = (kind.flags & kIsFirst) != 0;
        }
        if (role == FoldRole::kShifted) {
          // The distance may be negative: the sum wraps around.
          const std::uint32_t code = character.code + static_cast<std::uint32_t>(kind.distance);
          place = {place.at + character.length, write_utf8(code, place.out)};
        } else if (role == FoldRole::kSpelled) {
          const std::string_view spelling = spelling_of(character.code);
          const std::size_t size = size_until(place.out);
          place.out = make_room(size, spelling.size());
          segment.out = place.out;
          std::memcpy(place.out, spelling.data(), spelling.size());
          place = {place.at + character.length, place.out + spelling.size()};
        } else {
          // The next character starts a segment.
          segment = place = fold_segment(text, segment, poll);
          last_class = 0;
          can_compose = false;
        }
      }
    }
    return {folded_.data(), size_until(place.out)};
  }

 private:
  /// Where a character starts in the text, and where its folding starts.
  struct Place {
    std::size_t at;
    char* out;
  };

  // A character folds to at most so many times its bytes, unless it is spelled out. The last one of
  // a part may start before the end of the part, and a register is written at a time.
  static constexpr std::size_t kMostGrowth = 2;
  static constexpr std::size_t kRoom = kMostGrowth * kPollBytes + 2 * sizeof(std::uint64_t);

  std::size_t size_until(const char* out) { return static_cast<std::size_t>(out - folded_.data()); }

  /// Makes room for `bytes`, and for a part of a text, behind `size` bytes. Returns their end.
  char* make_room(std::size_t size, std::size_t bytes) {
    return folded_.make_room(size, bytes + kRoom);
  }

  static void copy(std::string_view text, std::size_t at, std::size_t length, char* out) {
    // Fast path: equals copying `length` bytes.
    if (text.size() - at >= kMostCharacterBytes) [[likely]] {
      std::memcpy(out, text.data() + at, kMostCharacterBytes);
    } else {
      std::memcpy(out, text.data() + at, length);
    }
  }

  /// Folds a segment by the definition. Returns where the next segment starts.
  Place fold_segment(std::string_view text, Place place, Poll& poll) {
    characters_.clear();
    std::size_t at = place.at;
    while (at < text.size()) {
      const Character character = character_at(text, at);
      if (at != place.at && starts_segment(fold_kind(character.code))) break;
      characters_.decompose(character.code);
      at += character.length;
      poll.did(character.length);
    }
    characters_.compose(poll);
    Segment& folded = fold_case(poll);
    char* out = make_room(size_until(place.out), kMostCharacterBytes * folded.size());
    for (std::size_t index = 0; index < folded.size(); ++index) {
      out = write_utf8(folded[index], out);
    }
    return {at, out};
  }

  static bool starts_segment(const FoldKind& kind) {
    const auto role = static_cast<FoldRole>(kind.role);
    if (role != FoldRole::kPlain) return role != FoldRole::kJoined;
    return kind.combining == 0 && (kind.flags & kIsSecond) == 0;
  }

  /// Folds the case of the composed characters, and normalizes the result if something changed.
  Segment& fold_case(Poll& poll) {
    bool is_folded = true;
    for (std::size_t index = 0; index < characters_.size(); ++index) {
      const FoldKind& kind = fold_kind(characters_[index]);
      is_folded &= kind.distance == 0 && (kind.flags & kExpands) == 0;
    }
    if (is_folded) return characters_;
    case_folded_.clear();
    for (std::size_t index = 0; index < characters_.size(); ++index) {
      const std::uint32_t code = characters_[index];
      const FoldKind& kind = fold_kind(code);
      if ((kind.flags & kExpands) != 0) {
        case_folded_.decompose_all(spelling_of(code, (kind.flags & kDecomposes) != 0));
      } else {
        case_folded_.decompose(code + static_cast<std::uint32_t>(kind.distance));
      }
    }
    case_folded_.compose(poll);
    return case_folded_;
  }

  Segment characters_;
  Segment case_folded_;
  Buffer<char> folded_;
};

}  // namespace bleu_rouge
