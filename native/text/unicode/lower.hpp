// The lower case of characters (str.lower of Python), and their classes for xlsum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "text/unicode/characters.hpp"
#include "text/unicode/kinds.hpp"
#include "text/utf8.hpp"

namespace bleu_rouge {

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

}  // namespace bleu_rouge
