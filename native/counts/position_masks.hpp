// Bit masks of the positions of each id of a sequence, in memory proportional to the sequence.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/bits.hpp"
#include "base/buffer.hpp"
#include "counts/ids.hpp"

namespace bleu_rouge {

using Bits = std::span<const std::uint64_t>;

// A table of up to this many words is computed as a whole; larger tables would take memory
// quadratic in the length of the texts. The fuzzer sets it low, so that short texts test the code
// for long ones.
#if defined(BLEU_ROUGE_MOST_WHOLE_WORDS)
inline constexpr std::size_t kMostWholeWords = BLEU_ROUGE_MOST_WHOLE_WORDS;
#else
inline constexpr std::size_t kMostWholeWords = 1 << 13;
#endif

// A mask for each id would take memory quadratic in the length of the sequence. So only ids that
// occur more often than a mask has words get a stored mask; there are at most 64 such ids. For any
// other id the positions are listed, and written into a shared mask on request, in fewer steps than
// reading the mask takes. In a short sequence all masks together are small, so every id gets a
// stored mask.
class PositionMasks {
 public:
  /// `distinct`: the largest id of all.
  void assign(Ids sequence, std::size_t distinct) {
    words_ = words_for(sequence.size());
    places_.assign(distinct + 1, Place{0, 0, 0});
    std::size_t kinds = 0;
    for (const Id id : sequence) kinds += places_[id].count++ == 0 ? 1 : 0;
    const std::size_t least = kinds * words_ <= kMostWholeWords ? 0 : words_;

    std::size_t masks = 0;
    std::uint32_t listed = 0;
    for (Place& place : places_.span()) {
      if (place.count > least) {
        place.mask = static_cast<std::uint32_t>(++masks);
      } else {
        place.first = listed;
        listed += place.count;
      }
    }
    masks_.assign(masks * words_, 0);
    positions_.clear();
    positions_.extend(listed);
    scratch_.assign(words_, 0);
    scattered_ = {};
    for (std::size_t position = 0; position < sequence.size(); ++position) {
      Place& place = places_[sequence[position]];
      if (place.mask != 0) {
        set(masks_.span().subspan((place.mask - 1) * words_, words_), position);
      } else {
        positions_[place.first++] = static_cast<std::uint32_t>(position);
      }
    }
    for (Place& place : places_.span()) {
      if (place.mask == 0) place.first -= place.count;
    }
  }

  std::size_t words() const { return words_; }

  bool contains(Id id) const { return places_[id].count != 0; }

  /// The mask of an id; valid until the next call.
  Bits of(Id id) {
    const Place& place = places_[id];
    if (place.mask != 0) return masks_.view().subspan((place.mask - 1) * words_, words_);
    for (const std::uint32_t position : scattered_) scratch_[position / kWordBits] = 0;
    scattered_ = positions_.view().subspan(place.first, place.count);
    for (const std::uint32_t position : scattered_) set(scratch_.span(), position);
    return scratch_.view();
  }

 private:
  struct Place {
    std::uint32_t count;
    std::uint32_t mask;   // number of the mask, from 1; 0 if the positions are listed
    std::uint32_t first;  // index of the first listed position
  };

  static void set(std::span<std::uint64_t> bits, std::size_t position) {
    bits[position / kWordBits] |= std::uint64_t{1} << (position % kWordBits);
  }

  std::size_t words_ = 0;
  Buffer<Place> places_;  // by id
  Buffer<std::uint64_t> masks_;
  Buffer<std::uint32_t> positions_;
  Buffer<std::uint64_t> scratch_;
  std::span<const std::uint32_t> scattered_;  // the positions in scratch_
};

}  // namespace bleu_rouge
