// A bounded memory of stems.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bits.hpp"
#include "porter.hpp"
#include "words.hpp"

namespace bleu_rouge {

/// Stems of short words, the latest of each place in a table of fixed size.
class Stems {
 public:
  /// `texts_bytes`: how much text will be stemmed; little text needs no large table.
  explicit Stems(std::size_t texts_bytes)
      : places_(std::bit_ceil(std::clamp(texts_bytes / 64, kFewest, kMost))) {}

  /// The stem of a short word of lower-case letters and digits.
  Word stem(const Word& word) {
    // Fast path: equals Porter::stem. Bound: kMost places of 40 bytes, 640 kB.
    Place& place = places_[mix(word.high, word.low) & (places_.size() - 1)];
    if (place.low != word.low || place.high != word.high) {
      std::array<char, kShortWord> letters{};
      const std::size_t length = spell_short(word, letters.data()).size();
      place.low = word.low;
      place.high = word.high;
      place.stem = make_word({letters.data(), Porter::stem({letters.data(), length})});
      place.stem.bytes = nullptr;
    }
    return place.stem;
  }

 private:
  static constexpr std::size_t kFewest = 256;
  static constexpr std::size_t kMost = 1 << 14;

  struct Place {  // no word has low 0, so that a fresh place matches none
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    Word stem{};
  };

  std::vector<Place> places_;
};

}  // namespace bleu_rouge
