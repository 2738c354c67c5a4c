// The sentences of a text, and the distinct ones among many.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/buffer.hpp"
#include "base/poll.hpp"
#include "counts/ids.hpp"

namespace bleu_rouge {

/// The sentences of a text: their tokens, and the end of each. Sentences may be empty.
struct Sentences {
  Ids tokens;
  std::span<const std::uint32_t> ends;

  template <class Use>
  void for_each(Use&& use) const {
    std::size_t start = 0;
    for (const std::uint32_t end : ends) {
      if (end > start) use(tokens.subspan(start, end - start));
      start = end;
    }
  }

  /// Number of tokens of the longest sentence.
  std::size_t longest() const {
    std::size_t most = 0;
    for_each([&most](Ids sentence) { most = std::max(most, sentence.size()); });
    return most;
  }

  /// Whether all tokens are in one sentence.
  bool is_one() const {
    return std::ranges::all_of(ends, [this](std::uint32_t end) {
      return end == 0 || end == tokens.size();
    });
  }
};

// If both texts have at least so many sentences, sorting them takes far less time than comparing
// each sentence with each. The fuzzer sets it low, so that short texts test the code for long ones.
#if defined(BLEU_ROUGE_MANY_SENTENCES)
inline constexpr std::size_t kManySentences = BLEU_ROUGE_MANY_SENTENCES;
#else
inline constexpr std::size_t kManySentences = 64;
#endif

inline bool are_many(const Sentences& first, const Sentences& second) {
  return std::min(first.ends.size(), second.ends.size()) >= kManySentences;
}

/// The sentences of a text that are not empty, and how often each occurs.
class SentenceList {
 public:
  struct Item {
    Ids tokens;
    std::size_t times;
  };

  explicit SentenceList(Poll& poll) : poll_(poll) {}

  /// Lists the sentences in order, each with one occurrence.
  void assign(const Sentences& sentences) {
    items_.clear();
    sentences.for_each([this](Ids tokens) { items_.push_back({tokens, 1}); });
    is_merged_ = false;
  }

  /// Merges equal sentences to one item; this changes the order.
  void merge() {
    if (is_merged_) return;
    is_merged_ = true;
    std::ranges::sort(items_.span(), [this](const Item& left, const Item& right) {
      poll_.did(std::min(left.tokens.size(), right.tokens.size()));
      return std::ranges::lexicographical_compare(left.tokens, right.tokens);
    });
    std::size_t count = 0;
    for (const Item& item : items_.view()) {
      if (count != 0 && std::ranges::equal(items_[count - 1].tokens, item.tokens)) {
        ++items_[count - 1].times;
      } else {
        items_[count++] = item;
      }
    }
    items_.shrink(count);
  }

  std::span<const Item> items() const { return items_.view(); }

 private:
  Poll& poll_;
  Buffer<Item> items_;
  bool is_merged_ = false;
};

}  // namespace bleu_rouge
