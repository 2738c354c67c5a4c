// What the words of a tokenizer become before they are counted: stems, or nothing for stop words.
// Their tables are kept from one call to the next.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bits.hpp"
#include "base/hashes.hpp"
#include "text/porter.hpp"
#include "text/vocabulary.hpp"

namespace bleu_rouge {

template <class T>
class Kept {
 public:
  Kept() { free_.reserve(kMost); }

  /// A thing that no other thread uses; null if there is none.
  std::unique_ptr<T> take() {
    // A child of fork() may find the lock taken forever, so nobody waits for it.
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock() || free_.empty()) return nullptr;
    std::unique_ptr<T> thing = std::move(free_.back());
    free_.pop_back();
    return thing;
  }

  /// Never raises, because destructors call it.
  void give_back(std::unique_ptr<T> thing) noexcept {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock.owns_lock() && free_.size() < kMost) free_.push_back(std::move(thing));
  }

 private:
  static constexpr std::size_t kMost = 64;

  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> free_;
};

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

/// The forms of words that were found so far, for one thread.
class FormTable {
 public:
  FormTable() : slots_(kFewestSlots) {}

  /// The form of a word, valid until make_room is called; none if the word is left out.
  ///
  /// Args:
  ///   find: gives the form of a word's bytes, std::optional<std::string>; called for new words.
  template <class Find>
  const Word* form_of(const Word& word, Find&& find) {
    // Fast path: equals the search below, because most words are where they are looked for first.
    const Slot& first = slots_[mix(word.low, word.high, seed_) & (slots_.size() - 1)];
    if (first.is(word) && !word.is_long()) [[likely]] return first.form_or_null();
    return locate(word, find).form_or_null();
  }

  /// Forgets all forms if they take too much memory. Forms that were returned are not valid then.
  void make_room() {
    if (size_ < kMostWords && bytes_ < kMostBytes) return;
    slots_.assign(kFewestSlots, Slot{});
    long_bytes_.clear();
    size_ = bytes_ = 0;
  }

 private:
  static constexpr std::size_t kFewestSlots = 1 << 10;
  // Bounds: about 14 MB of slots, and 4 MB of the bytes of long words and forms. Natural text has
  // fewer frequent words.
  static constexpr std::size_t kMostWords = 1 << 16;
  static constexpr std::size_t kMostBytes = 1 << 22;

  struct Slot {
    Word word{0, 0, 0, nullptr};
    Word form{0, 0, 0, nullptr};
    bool is_taken = false;
    bool is_left_out = false;

    bool is(const Word& other) const {
      return is_taken && word.low == other.low && word.high == other.high &&
             word.length == other.length;
    }
    const Word* form_or_null() const { return is_left_out ? nullptr : &form; }
  };

  template <class Find>
  const Slot& locate(const Word& word, Find& find) {
    std::size_t index = mix(word.low, word.high, seed_) & (slots_.size() - 1);
    for (; slots_[index].is_taken; index = (index + 1) & (slots_.size() - 1)) {
      const Slot& slot = slots_[index];
      if (slot.is(word) && (!word.is_long() || bytes_of(slot.word) == bytes_of(word))) return slot;
    }
    // If finding raises, nothing has changed.
    std::array<char, kShortWord> letters{};
    const std::optional<std::string> form =
        find(word.is_long() ? bytes_of(word) : spell_short(word, letters.data()));
    Slot slot{word, {0, 0, 0, nullptr}, true, !form.has_value()};
    if (word.is_long()) slot.word.bytes = keep(bytes_of(word));
    if (form.has_value()) {
      slot.form = make_word(*form);
      slot.form.bytes = slot.form.is_long() ? keep(*form) : nullptr;
    }
    if (++size_ * 2 > slots_.size()) grow();
    return slots_[place(slot)];
  }

  static std::string_view bytes_of(const Word& word) { return {word.bytes, word.length}; }

  const char* keep(std::string_view bytes) {
    bytes_ += bytes.size();
    return long_bytes_.emplace_back(bytes).data();
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.is_taken) place(slot);
    }
  }

  std::size_t place(const Slot& slot) {
    std::size_t index = mix(slot.word.low, slot.word.high, seed_) & (slots_.size() - 1);
    while (slots_[index].is_taken) index = (index + 1) & (slots_.size() - 1);
    slots_[index] = slot;
    return index;
  }

  std::vector<Slot> slots_;  // a power of two; at most half are taken
  std::size_t size_ = 0;
  std::deque<std::string> long_bytes_;  // which do not move
  std::size_t bytes_ = 0;
  HashSeed seed_ = process_seed();
};

/// Gives forms to words, and keeps their tables from one call to the next.
class Forms {
 public:
  Forms() = default;
  Forms(const Forms&) = delete;
  Forms& operator=(const Forms&) = delete;
  virtual ~Forms() = default;

  /// The form of a word; none if it is left out. Threads may call it at the same time.
  virtual std::optional<std::string> find(std::string_view word) const = 0;

  Kept<FormTable>& tables() { return tables_; }

 private:
  Kept<FormTable> tables_;
};

/// Forms for one thread, with a table that it gives back.
class FormReader {
 public:
  explicit FormReader(std::shared_ptr<Forms> forms)
      : forms_(std::move(forms)), table_(forms_ ? forms_->tables().take() : nullptr) {
    if (forms_ && !table_) table_ = std::make_unique<FormTable>();
  }
  FormReader(FormReader&&) = default;
  FormReader& operator=(FormReader&&) = delete;
  ~FormReader() {
    if (table_) forms_->tables().give_back(std::move(table_));
  }

  /// Whether words have forms other than themselves.
  explicit operator bool() const { return table_ != nullptr; }

  /// Starts a text or a part of it, of bounded size: forms that were returned are not valid anymore.
  void start_part() { table_->make_room(); }

  /// The form of a word; null if it is left out.
  const Word* form_of(const Word& word) {
    return table_->form_of(word, [this](std::string_view bytes) { return forms_->find(bytes); });
  }

 private:
  std::shared_ptr<Forms> forms_;
  std::unique_ptr<FormTable> table_;
};

}  // namespace bleu_rouge
