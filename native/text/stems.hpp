// A bounded cache of stems.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/bits.hpp"
#include "base/hashes.hpp"
#include "base/kept.hpp"
#include "text/porter.hpp"
#include "text/words.hpp"

namespace bleu_rouge {

/// Stems of short words: a table of fixed size, in which each place holds its two latest words.
class Stems {
 public:
  /// `texts_bytes`: size of all texts that will be stemmed; little text needs only a small table.
  explicit Stems(std::size_t texts_bytes) : places_(count_places(texts_bytes)) {}

  /// Whether the table is as large as texts of this size need.
  bool is_enough_for(std::size_t texts_bytes) const {
    return places_.size() >= count_places(texts_bytes);
  }

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
  // About one place for two distinct words of little text. If the table is too small for all words
  // of a call, the next call with these texts finds few of them: 150 pairs of XSum sentences take
  // 3.3 µs per pair with 64 bytes per place, and 2.5 with 16.
  static constexpr std::size_t kBytesPerPlace = 16;

  static std::size_t count_places(std::size_t texts_bytes) {
    return std::bit_ceil(std::clamp(texts_bytes / kBytesPerPlace, kFewest, kMost));
  }

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

/// Stems for one thread, with a table that is kept for the next call.
class KeptStems {
 public:
  /// Without texts there are no stems.
  explicit KeptStems(std::size_t texts_bytes) {
    if (texts_bytes == 0) return;
    stems_ = kept().take();
    if (!stems_ || !stems_->is_enough_for(texts_bytes)) {
      stems_ = std::make_unique<Stems>(texts_bytes);
    }
  }
  KeptStems(KeptStems&&) = default;
  KeptStems& operator=(KeptStems&&) = delete;
  ~KeptStems() {
    if (stems_) kept().give_back(std::move(stems_));
  }

  Word stem(const Word& word) { return stems_->stem(word); }

 private:
  static Kept<Stems>& kept() {
    // It is never destroyed, because threads may end after it would be.
    static auto& tables = *new Kept<Stems>;
    return tables;
  }

  std::unique_ptr<Stems> stems_;
};

}  // namespace bleu_rouge
