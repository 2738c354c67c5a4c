// What the words of a tokenizer become before they are counted: stems, or nothing for stop words.
// Their tables are kept from one call to the next.
#pragma once

#include <array>
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

/// The forms of words that were found so far, for one thread.
class FormTable {
 public:
  FormTable() : slots_(kFewestSlots) {}

  /// Replaces a word by its form, whose bytes are valid until make_room is called. Returns whether
  /// it has one; else it is left out.
  ///
  /// Args:
  ///   find: gives the form of a word's bytes, std::optional<std::string>; called for new words.
  template <class Find>
  [[gnu::always_inline]] bool replace(Word& word, Find&& find) {
    // Fast path: equals the search, because most words are where they are looked for first.
    const Slot* slot = &slots_[first_index(word)];
    if (!slot->is(word) || word.is_long()) [[unlikely]] slot = &locate(word, find);
    word = {slot->form_low, slot->form_high, slot->form_length, nullptr};
    if (word.is_long()) [[unlikely]] {
      if (word.length == kLeftOut) return false;
      word.bytes = long_words_[slot->long_form].data();
    }
    return true;
  }

  /// Forgets all forms if they take too much memory. Forms that were returned are not valid then.
  void make_room() {
    if (size_ < kMostWords && bytes_ < kMostBytes) return;
    *this = FormTable();
  }

 private:
  static constexpr std::size_t kFewestSlots = 1 << 10;
  // Bounds: 6 MB of slots, and 4 MB of the bytes of long words and forms. Natural text has fewer
  // frequent words.
  static constexpr std::size_t kMostWords = 1 << 15;
  static constexpr std::size_t kMostBytes = 1 << 22;
  static constexpr std::uint32_t kLeftOut = ~std::uint32_t{0};

  struct Slot {
    std::uint64_t low;
    std::uint64_t high;
    std::uint64_t form_low;
    std::uint64_t form_high;
    std::uint32_t length;       // 0 of an empty slot
    std::uint32_t form_length;  // kLeftOut if there is no form
    std::uint32_t long_word;    // index of its bytes if it is long; of the form likewise
    std::uint32_t long_form;

    bool is(const Word& word) const {
      return low == word.low && high == word.high && length == word.length;
    }
  };

  std::size_t first_index(const auto& word) const { return mix(word.low, word.high, seed_) & mask_; }

  template <class Find>
  const Slot& locate(const Word& word, Find& find) {
    const std::string_view bytes(word.bytes, word.is_long() ? word.length : 0);
    std::size_t index = first_index(word);
    for (; slots_[index].length != 0; index = (index + 1) & mask_) {
      const Slot& slot = slots_[index];
      if (slot.is(word) && (!word.is_long() || long_words_[slot.long_word] == bytes)) return slot;
    }
    // If finding raises, nothing has changed.
    std::array<char, kShortWord> letters{};
    const std::optional<std::string> form =
        find(word.is_long() ? bytes : spell_short(word, letters.data()));
    Slot slot{word.low, word.high, 0, 0, word.length, kLeftOut, 0, 0};
    if (word.is_long()) slot.long_word = keep(bytes);
    if (form.has_value()) {
      const Word key = make_word(*form);
      slot.form_low = key.low;
      slot.form_high = key.high;
      slot.form_length = key.length;
      if (key.is_long()) slot.long_form = keep(*form);
    }
    if ((size_ + 1) * 2 > slots_.size()) grow();
    ++size_;
    return slots_[place(slot)];
  }

  std::uint32_t keep(std::string_view bytes) {
    bytes_ += bytes.size();
    long_words_.emplace_back(bytes);
    return static_cast<std::uint32_t>(long_words_.size() - 1);
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    mask_ = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (slot.length != 0) place(slot);
    }
  }

  std::size_t place(const Slot& slot) {
    std::size_t index = first_index(slot);
    while (slots_[index].length != 0) index = (index + 1) & mask_;
    slots_[index] = slot;
    return index;
  }

  std::vector<Slot> slots_;  // a power of two; at most half are taken
  std::size_t mask_ = kFewestSlots - 1;
  std::size_t size_ = 0;
  std::deque<std::string> long_words_;  // long words and forms, which do not move
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

/// Porter's stems of lower-case letters and digits.
class PorterForms : public Forms {
 public:
  /// The object of this process, which is never destroyed, because threads may end after it would be.
  static const std::shared_ptr<Forms>& get() {
    static const auto& forms = *new std::shared_ptr<Forms>(std::make_shared<PorterForms>());
    return forms;
  }

  std::optional<std::string> find(std::string_view word) const override {
    std::string letters(word);
    letters.resize(Porter::stem(letters));
    return letters;
  }
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

  /// Replaces a word by its form; returns whether it has one, else it is left out.
  // Inlined, and the word is changed in place: with an optional word as the result, ROUGE of XSum
  // with stems takes 1.25 times as long.
  [[gnu::always_inline]] bool replace(Word& word) {
    return table_->replace(word, [this](std::string_view bytes) { return forms_->find(bytes); });
  }

 private:
  std::shared_ptr<Forms> forms_;
  std::unique_ptr<FormTable> table_;
};

}  // namespace bleu_rouge
