// Give the words of one sample ids: 1, 2, 3 and so on.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "base/hashes.hpp"
#include "counts/ids.hpp"
#include "text/scan.hpp"

namespace bleu_rouge {

/// A word to look up. Two words are equal if all members but `bytes` are equal and, for long words,
/// also their bytes.
struct Word {
  std::uint64_t low;
  std::uint64_t high;
  std::uint32_t length;
  const char* bytes;  // only of a word longer than kShortWord; valid until the next word is read

  bool is_long() const { return length > kShortWord; }
};

/// Makes the key of at most kShortWord bytes.
inline Word make_short_word(std::string_view bytes) {
  Word word{0, 0, static_cast<std::uint32_t>(bytes.size()), bytes.data()};
  std::memcpy(&word.low, bytes.data(), bytes.size() < 8 ? bytes.size() : 8);
  if (bytes.size() > 8) std::memcpy(&word.high, bytes.data() + 8, bytes.size() - 8);
  return word;
}

/// Makes the key of any bytes, which are read one register at a time.
inline Word make_word(std::string_view bytes) {
  if (bytes.size() <= kShortWord) return make_short_word(bytes);
  const HashSeed& seed = process_seed();
  Word word{0, 0, static_cast<std::uint32_t>(bytes.size()), bytes.data()};
  for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t part = 0;
    std::memcpy(&part, bytes.data() + at, sizeof(part));
    word.low = mix(word.low ^ part, at, seed);
  }
  std::memcpy(&word.high, bytes.data() + bytes.size() - 8, sizeof(word.high));
  return word;
}

/// Writes the bytes of a short word to `bytes`, which has room for kShortWord bytes.
inline std::string_view spell_short(const Word& word, char* bytes) {
  std::memcpy(bytes, &word.low, sizeof(word.low));
  std::memcpy(bytes + sizeof(word.low), &word.high, sizeof(word.high));
  return {bytes, word.length};
}

// How many slots are read for one word before all words are placed again with another seed. None of
// 10 million random words needs this many. The fuzzer sets it low, so that a few words need a new
// seed.
#if defined(BLEU_ROUGE_MOST_PROBES)
inline constexpr std::size_t kMostProbes = BLEU_ROUGE_MOST_PROBES;
#else
inline constexpr std::size_t kMostProbes = 128;
#endif

/// Whether new words get an id (in a prediction), or are unknown (in most references).
enum class NewWords { kInsert, kUnknown };

/// A hash table of words with open addressing. The words of a prediction are inserted. The words of
/// its references are only looked up, because a word that the prediction does not have cannot
/// match; they are inserted too if the distinct n-grams of a reference are counted.
class Vocabulary {
 public:
  Vocabulary() : slots_(kFewestSlots), mask_(kFewestSlots - 1) {}

  /// Removes all words, for a new text of this many bytes.
  void clear(std::size_t bytes) {
    // Fast path: equals emptying all slots, because a slot of an older generation counts as empty.
    // If a long text has made the table large, a short text uses only a part of it.
    size_ = 0;
    is_reseeded_ = false;
    const std::size_t count = std::bit_ceil(std::clamp(bytes, kFewestSlots, kMostSlotsAtFirst));
    if (slots_.size() < count) slots_.resize(count);
    mask_ = count - 1;
    long_words_.clear();
    long_bytes_.clear();
    next_generation();
  }

  /// The number of distinct words, which is the largest id.
  std::size_t size() const { return size_; }

  /// Looks up many words: `word_at(index)` is called once for each index, in order.
  ///
  /// Args:
  ///   out: output, the id of each word; kUnknown for a new word that gets none.
  template <NewWords new_words, class WordAt>
  void look_up(std::size_t count, WordAt&& word_at, Id* out) {
    // Fast path: equals insert_anywhere and find_anywhere. The processor cannot predict whether a
    // word is new, so its first slot is read and written without a branch; there is a branch only
    // if this slot holds another word. Documents of 600 tokens take 46 µs (BLEU) instead of 55.
    // The table is a local variable, so that it stays in registers: a pair of XSum sentences takes
    // 6,560 instructions instead of 7,570 (bench/kernel.py).
    constexpr bool inserts = new_words == NewWords::kInsert;
    Table table = this->table();
    Id size = size_;
    for (std::size_t index = 0; index < count; ++index) {
      const Word word = word_at(index);
      Slot& slot = table.slots[mix(word.low, word.high, table.seed) & table.mask];
      const Id is_taken = slot.generation == table.generation ? 1 : 0;
      const Id is_new_long = inserts ? Id{word.is_long()} : (is_taken & Id{word.is_long()});
      if (((is_taken & slot.is_not(word)) | is_new_long) != 0) [[unlikely]] {
        size_ = size;
        out[index] = inserts ? insert_anywhere(word) : find_anywhere(word);
        table = this->table();
        size = size_;
        continue;
      }
      const Id taken = Id{0} - is_taken;  // all ones or none
      if constexpr (inserts) {
        const Id id = (slot.id & taken) | ((size + 1) & ~taken);
        slot = {word.low, word.high, table.generation, word.length, id, 0};
        size += 1 + taken;
        out[index] = id;
        if (std::size_t{size} * kSlotsPerWord > table.mask) [[unlikely]] {
          size_ = size;
          grow(slot);
          table = this->table();
        }
      } else {
        out[index] = slot.id & taken;
      }
    }
    size_ = size;
  }

 private:
  static constexpr std::size_t kFewestSlots = 256;
  // At first a table has one slot per byte of text; a larger table does not fit into the cache.
  static constexpr std::size_t kMostSlotsAtFirst = 1 << 13;
  static constexpr std::size_t kSlotsPerWord = 2;  // at least

  struct Slot {
    std::uint64_t low;
    std::uint64_t high;
    std::uint32_t generation;
    std::uint32_t length;
    Id id;
    std::uint32_t long_word;

    /// 1 if the slot has another key than the word, else 0.
    Id is_not(const Word& word) const {
      return ((low ^ word.low) | (high ^ word.high) | (length ^ word.length)) == 0 ? 0 : 1;
    }
  };

  /// What a loop over words reads.
  struct Table {
    Slot* slots;
    std::size_t mask;
    HashSeed seed;
    std::uint32_t generation;
  };

  Table table() { return {slots_.data(), mask_, seed_, generation_}; }

  Id insert_anywhere(const Word& word) {
    Slot& slot = locate(word);
    if (slot.generation == generation_) return slot.id;
    const std::uint32_t long_word = word.is_long() ? remember({word.bytes, word.length}) : 0;
    slot = {word.low, word.high, generation_, word.length, ++size_, long_word};
    const Id id = slot.id;
    if (std::size_t{size_} * kSlotsPerWord > mask_) grow(slot);
    return id;
  }

  Id find_anywhere(const Word& word) {
    const Slot& slot = locate(word);
    return slot.generation == generation_ ? slot.id : kUnknown;
  }

  /// The slot of the word, or the empty slot for it.
  Slot& locate(const Word& word) {
    std::size_t index = mix(word.low, word.high, seed_) & mask_;
    for (std::size_t probes = 0;; ++probes, index = (index + 1) & mask_) {
      Slot& slot = slots_[index];
      if (slot.generation != generation_) return slot;
      if (slot.is_not(word) == 0 && (!word.is_long() || has_bytes(slot, word))) return slot;
      if (probes == kMostProbes && !is_reseeded_) {
        // With one seed in a thousand, similar words, such as consecutive ids, get slots in long
        // rows. A row this long has no other cause, so one new seed is enough.
        place_anew(mask_ + 1, draw_seed());
        is_reseeded_ = true;
        return locate(word);
      }
    }
  }

  bool has_bytes(const Slot& slot, const Word& word) const {
    const std::size_t start = long_words_[slot.long_word];
    return std::memcmp(long_bytes_.view().data() + start, word.bytes, word.length) == 0;
  }

  std::uint32_t remember(std::string_view bytes) {
    long_words_.push_back(long_bytes_.size());
    const std::span<char> copy = long_bytes_.extend(bytes.size());
    std::memcpy(copy.data(), bytes.data(), bytes.size());
    return static_cast<std::uint32_t>(long_words_.size() - 1);
  }

  void next_generation() {
    if (++generation_ == 0) {
      std::ranges::fill(slots_, Slot{});
      generation_ = 1;
    }
  }

  /// Makes room for more words. Without memory for it, the latest word is removed again, so that a
  /// search always finds an empty slot.
  void grow(Slot& latest) {
    try {
      place_anew((mask_ + 1) * 2, seed_);
    } catch (...) {
      latest.generation = generation_ - 1;
      --size_;
      throw;
    }
  }

  /// Places all words again, in a table of `count` slots. If it raises, nothing has changed.
  void place_anew(std::size_t count, const HashSeed& seed) {
    const std::uint32_t before = generation_;
    std::vector<Slot> words;
    if (slots_.size() < count) {
      words.resize(count);
      words.swap(slots_);
    } else {
      words.reserve(size_);
      for (std::size_t index = 0; index <= mask_; ++index) {
        if (slots_[index].generation == before) words.push_back(slots_[index]);
      }
      next_generation();
    }
    mask_ = count - 1;
    seed_ = seed;
    for (Slot& slot : words) {
      if (slot.generation != before) continue;
      slot.generation = generation_;
      std::size_t index = mix(slot.low, slot.high, seed_) & mask_;
      while (slots_[index].generation == generation_) index = (index + 1) & mask_;
      slots_[index] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::size_t mask_;
  HashSeed seed_ = process_seed();
  bool is_reseeded_ = false;  // whether it has a new seed since it was cleared
  std::uint32_t generation_ = 1;
  Id size_ = 0;
  Buffer<std::size_t> long_words_;  // where each long word starts in long_bytes_
  Buffer<char> long_bytes_;
};

}  // namespace bleu_rouge
