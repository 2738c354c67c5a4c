// What the words of a tokenizer become before they are counted: stems, or nothing for stop words.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hashes.hpp"
#include "base/kept.hpp"
#include "text/words.hpp"

namespace bleu_rouge {

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
