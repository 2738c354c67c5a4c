// The lower case of characters and of texts (str.lower of Python), and the classes of xlsum.
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
#include "text/unicode/kinds.hpp"

namespace bleu_rouge {

/// Puts each ASCII letter among 8 bytes into lower case.
inline std::uint64_t lower_ascii(std::uint64_t bytes) {
  constexpr std::uint64_t kOnes = 0x0101010101010101U;
  const std::uint64_t low_bits = bytes & (0x7F * kOnes);
  // The highest bit of each byte: whether its other bits are at least "A", or after "Z".
  const std::uint64_t from_a = low_bits + (0x80 - 'A') * kOnes;
  const std::uint64_t after_z = low_bits + (0x7F - 'Z') * kOnes;
  const std::uint64_t upper = (from_a ^ after_z) & ~bytes & (0x80 * kOnes);
  return bytes | upper >> 2;
}

/// Folds at most 8 bytes of ASCII, and returns how many.
inline std::size_t lower_ascii_run(std::string_view text, std::size_t at, char* out) {
  constexpr std::uint64_t kBeyond = 0x8080808080808080U;
  std::uint64_t bytes = 0;
  if (text.size() - at < sizeof(bytes)) [[unlikely]] {
    bytes = static_cast<unsigned char>(text[at]);
    if ((bytes & kBeyond) != 0) return 0;
    *out = static_cast<char>(lower_ascii(bytes));
    return 1;
  }
  std::memcpy(&bytes, text.data() + at, sizeof(bytes));
  const std::uint64_t beyond = bytes & kBeyond;
  if ((beyond & 0x80) != 0) return 0;
  // Fast path: equals folding one byte after the other.
  bytes = lower_ascii(bytes);
  std::memcpy(out, &bytes, sizeof(bytes));
  return beyond == 0 ? sizeof(bytes) : lowest_position(beyond) / 8;
}

inline constexpr std::uint32_t kCapitalSigma = 0x3A3;
inline constexpr std::uint32_t kFinalSigma = 0x3C2;
// The only character whose lower case has two characters: "i" and U+0307.
inline constexpr std::uint32_t kCapitalIWithDotCode = 0x130;
inline constexpr std::uint32_t kDotAbove = 0x307;

/// The kind of a character for lower case and for xlsum.
inline const WordKind& word_kind(std::uint32_t code) {
  if (code >> 8 < kWordTops.size()) [[likely]] {
    return kWordKinds[look_up(kWordTops, kWordRows, kWordPages, code)];
  }
  for (const KindRange& range : kLateWordKinds) {
    if (range.first <= code && code <= range.last) return kWordKinds[range.kind];
  }
  return kWordKinds[0];
}

/// Whether the capital sigma that starts at `at` ends a word, so that its lower case is U+03C2.
///
/// Takes the time of the characters around it that are ignorable. A sigma is not, so that each run
/// of ignorable characters is read for at most two of them.
inline bool is_final_sigma(std::string_view text, std::size_t at) {
  // Source: The Unicode Standard, section 3.13, table 3-17, Final_Sigma.
  const auto role_at = [&](std::size_t index) {
    return static_cast<CaseRole>(word_kind(character_at(text, index).code).case_role);
  };
  CaseRole before = CaseRole::kIgnorable;
  for (std::size_t start = at; before == CaseRole::kIgnorable && start > 0;) {
    --start;
    for (std::size_t left = kMostCharacterBytes - 1;
         left > 0 && start > 0 && is_continuation(text[start]); --left) {
      --start;
    }
    before = role_at(start);
  }
  if (before != CaseRole::kCased) return false;
  CaseRole after = CaseRole::kIgnorable;
  for (std::size_t next = at + character_at(text, at).length;
       after == CaseRole::kIgnorable && next < text.size();
       next += character_at(text, next).length) {
    after = role_at(next);
  }
  return after != CaseRole::kCased;
}

/// Puts texts into lower case as the Python that builds the kernel does.
class Lowering {
 public:
  /// Returns the text in lower case, valid until the next call.
  std::string_view lower(std::string_view text, Poll& poll) {
    char* out = lowered_.make_room(0, kRoom);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t stop = std::min(text.size(), at + kPollBytes);
      poll.did(stop - at);
      out = lowered_.make_room(static_cast<std::size_t>(out - lowered_.data()), kRoom);
      while (at < stop) {
        if (const std::size_t run = lower_ascii_run(text, at, out); run != 0) {
          at += run;
          out += run;
          continue;
        }
        const Character character = character_at(text, at);
        std::uint32_t code =
            character.code + static_cast<std::uint32_t>(word_kind(character.code).distance);
        if (character.code == kCapitalIWithDotCode) [[unlikely]] {
          *out++ = 'i';
          code = kDotAbove;
        } else if (character.code == kCapitalSigma && is_final_sigma(text, at)) {
          code = kFinalSigma;
        }
        at += character.length;
        out = write_utf8(code, out);
      }
    }
    return {lowered_.data(), static_cast<std::size_t>(out - lowered_.data())};
  }

 private:
  // A character of one byte takes at most 4 bytes if the text is not UTF-8; the last character of a
  // part may end behind the part, and 8 bytes of ASCII are written at once.
  static constexpr std::size_t kRoom = kMostCharacterBytes * (kPollBytes + kMostCharacterBytes) + 8;

  Buffer<char> lowered_;
};

}  // namespace bleu_rouge
