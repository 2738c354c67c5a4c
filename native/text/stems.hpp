// A bounded cache of stems.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/bits.hpp"
#include "base/hashes.hpp"
#include "text/porter.hpp"
#include "text/words.hpp"

namespace bleu_rouge {

/// Stems of short words: a table of fixed size, in which each place holds its two latest words.
class Stems {
 public:
  /// `texts_bytes`: size of all texts that will be stemmed; little text needs only a small table.
  explicit Stems(std::size_t texts_bytes)
      : places_(std::bit_ceil(std::clamp(texts_bytes / 64, kFewest, kMost))) {}

  /// The stem of a short word of lower-case letters and digits.
  Word stem(const Word& word) {
    // Fast path: equals Porter::stem. A pair of XSum sentences takes 0.69 µs instead of 3.96.
    // Bound: kMost places of 64 bytes, 512 kB; natural text has fewer frequent words.
    Place& place = places_[mix(word.low, word.high, seed_) & (places_.size() - 1)];
    if (place.latest.is(word)) [[likely]] return place.latest.stem();
    std::swap(place.latest, place.former);
    if (!place.latest.is(word)) place.latest = make_entry(word);
    return place.latest.stem();
  }

 private:
  static constexpr std::size_t kFewest = 256;
  static constexpr std::size_t kMost = 1 << 13;

  struct Entry {  // a new entry matches no word, because no word has low 0
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    std::uint64_t stem_low = 0;
    std::uint64_t stem_high = 0;

    bool is(const Word& word) const { return low == word.low && high == word.high; }

    Word stem() const {
      // No byte of a stem is 0, so the highest byte that is not 0 tells the length.
      const int zeros = stem_high != 0 ? std::countl_zero(stem_high)
                                       : std::countl_zero(stem_low) + static_cast<int>(kWordBits);
      const std::uint32_t length = kShortWord - static_cast<std::uint32_t>(zeros) / 8;
      return {stem_low, stem_high, length, nullptr};
    }
  };

  struct alignas(2 * sizeof(Entry)) Place {
    Entry latest;
    Entry former;
  };

  static Entry make_entry(const Word& word) {
    std::array<char, kShortWord> letters{};
    const std::size_t length = spell_short(word, letters.data()).size();
    const Word stem = make_short_word({letters.data(), Porter::stem({letters.data(), length})});
    return {word.low, word.high, stem.low, stem.high};
  }

  std::vector<Place> places_;
  HashSeed seed_ = process_seed();
};

}  // namespace bleu_rouge
