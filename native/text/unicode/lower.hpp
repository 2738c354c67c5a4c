// The lower case of characters (str.lower of Python), and their classes for xlsum.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "text/unicode/characters.hpp"
#include "text/unicode/kinds.hpp"
#include "text/unicode/word_tables.hpp"
#include "text/utf8.hpp"

namespace bleu_rouge {

inline constexpr std::uint32_t kCapitalSigma = 0x3A3;
inline constexpr std::uint32_t kFinalSigma = 0x3C2;
// The only character whose lower case has two characters: "i" and U+0307.
inline constexpr std::uint32_t kCapitalIWithDotCode = 0x130;
inline constexpr std::uint32_t kDotAbove = 0x307;

/// The kinds of characters for lower case and for xlsum.
class WordKinds {
 public:
  explicit WordKinds(std::uint32_t version)
      : kinds_(kinds_in_version(kWordKinds, kWordAges, version)) {}

  const WordKind& operator()(std::uint32_t code) const {
    if (code >> 8 < kWordTops.size()) [[likely]] {
      return kinds_[look_up(kWordTops, kWordRows, kWordPages, code)];
    }
    for (const KindRange& range : kLateWordKinds) {
      if (range.first <= code && code <= range.last) return kinds_[range.kind];
    }
    return kinds_[0];
  }

 private:
  std::array<WordKind, kWordKinds.size()> kinds_;
};

/// Whether the capital sigma that starts at `at` ends a word, so that its lower case is U+03C2.
///
/// Takes the time of the characters around it that are ignorable. A sigma is not, so that each run
/// of ignorable characters is read for at most two of them.
inline bool is_final_sigma(std::string_view text, std::size_t at, const WordKinds& kinds) {
  // Source: The Unicode Standard, section 3.13, table 3-17, Final_Sigma.
  const auto role_at = [&](std::size_t index) {
    return static_cast<CaseRole>(kinds(character_at(text, index).code).case_role);
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
