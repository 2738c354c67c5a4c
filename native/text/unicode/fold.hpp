// Fold a text: NFKC, case folding, NFKC again; equals fold_text of text/unicode.py.
//
// Most characters fold to one character and do not interact with their neighbours, so they are
// folded one by one. Only a segment in which characters may be composed, reordered or expanded is
// normalized, see normalize.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/bits.hpp"
#include "base/buffer.hpp"
#include "base/poll.hpp"
#include "text/scan.hpp"
#include "text/text.hpp"
#include "text/unicode/characters.hpp"
#include "text/unicode/lower.hpp"
#include "text/unicode/normalize.hpp"

namespace bleu_rouge {

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
    const std::size_t least = size + bytes + kRoom;
    if (folded_.size() < least) folded_.extend(least - folded_.size());
    return folded_.data() + size;
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
