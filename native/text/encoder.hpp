// Encode a text as the ids of its tokens.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/buffer.hpp"
#include "base/poll.hpp"
#include "counts/ids.hpp"
#include "text/rewrite.hpp"
#include "text/scan.hpp"
#include "text/stems.hpp"
#include "text/tokenizers.hpp"
#include "text/vocabulary.hpp"
#include "text/words.hpp"

namespace bleu_rouge {

/// Tokenizes texts and looks their tokens up in the vocabulary of the current sample.
class Encoder {
 public:
  Encoder(Tokenizer tokenizer, std::size_t texts_bytes, Poll& poll)
      : tokenizer_(tokenizer),
        poll_(poll),
        stems_(tokenizer == Tokenizer::kRougeStemmed ? texts_bytes : 0) {}

  Vocabulary& vocabulary() { return vocabulary_; }

  /// Whether the tokens of a text are the tokens of its lines, one line after the other.
  bool keeps_lines() const { return tokenizer_ != Tokenizer::k13a; }

  /// Appends the ids of the tokens of a text to `ids`.
  ///
  /// Args:
  ///   line_ends: output, for each newline the number of tokens of the text before it; null if not
  ///     needed.
  template <NewWords new_words>
  void encode(std::string_view text, Buffer<Id>& ids, Buffer<std::uint32_t>* line_ends = nullptr) {
    for_each_word(text, line_ends, [this, &ids](std::size_t count, auto&& word_at) {
      vocabulary_.look_up<new_words>(count, word_at, ids.extend(count).data());
    });
  }

  /// Calls `use(count, word_at)` with the words of a text, many at a time. `use` must call
  /// `word_at(index)` once for each index, in order.
  template <class Use>
  void for_each_word(std::string_view text, Buffer<std::uint32_t>* line_ends, Use&& use) {
    switch (tokenizer_) {
      case Tokenizer::kRouge:
        return scan_rouge<false>(rewrite_rouge(text, rewritten_, poll_), line_ends, use);
      case Tokenizer::kRougeStemmed:
        return scan_rouge<true>(rewrite_rouge(text, rewritten_, poll_), line_ends, use);
      case Tokenizer::kRouge155:
        return scan_rouge<false>(text, line_ends, use);
      case Tokenizer::k13a:
        return scan_exact<MtevalRule>(rewrite_13a(text, rewritten_, poll_), line_ends, use);
      case Tokenizer::kWhitespace:
        return scan_exact<WhitespaceRule>(text, line_ends, use);
      case Tokenizer::kChar:
        return scan_exact<CharRule>(text, line_ends, use);
    }
  }

 private:
  // rouge_score stems words of more than three characters.
  static constexpr std::size_t kLongestUnstemmed = 3;

  template <bool stemmed, class Use>
  void scan_rouge(std::string_view text, Buffer<std::uint32_t>* line_ends, Use& use) {
    scan<RougeRule>(text, spans_, line_ends, poll_, [&](const Readable& readable, const Spans& spans) {
      use(spans.count(),
          [&](std::size_t index) { return read_rouge<stemmed>(readable, spans, index); });
    });
  }

  template <class Rule, class Use>
  void scan_exact(std::string_view text, Buffer<std::uint32_t>* line_ends, Use& use) {
    scan<Rule>(text, spans_, line_ends, poll_, [&](const Readable& readable, const Spans& spans) {
      use(spans.count(), [&](std::size_t index) { return read_exact(readable, spans, index); });
    });
  }

  /// The word, unchanged.
  static Word read_exact(const Readable& readable, const Spans& spans, std::size_t index) {
    const std::size_t start = spans.start(index);
    const std::uint32_t length = spans.length(index);
    if (length > kShortWord) [[unlikely]] return make_word(readable.text().substr(start, length));
    const WordMask bytes = readable.registers(start);
    const WordMask& mask = kWordMasks[length];
    return {bytes.low & mask.low, bytes.high & mask.high, length, nullptr};
  }

  /// The word in lower case, or its stem.
  template <bool stemmed>
  Word read_rouge(const Readable& readable, const Spans& spans, std::size_t index) {
    const std::size_t start = spans.start(index);
    const std::uint32_t length = spans.length(index);
    if (length > kShortWord) [[unlikely]] {
      return read_long_rouge(readable.text().substr(start, length), stemmed);
    }
    // Fast path: equals lower-casing each byte. Lower-case letters and digits have this bit
    // already, and upper-case letters do not have it.
    constexpr std::uint64_t kLowerCase = 0x2020202020202020U;
    const WordMask bytes = readable.registers(start);
    const WordMask& mask = kWordMasks[length];
    const Word word{(bytes.low | kLowerCase) & mask.low, (bytes.high | kLowerCase) & mask.high,
                    length, nullptr};
    if constexpr (stemmed) {
      if (length > kLongestUnstemmed) return stems_.stem(word);
    }
    return word;
  }

  Word read_long_rouge(std::string_view bytes, bool stemmed) {
    long_word_.assign(bytes);
    for (char& letter : long_word_) letter = static_cast<char>(letter | 0x20);
    if (stemmed) long_word_.resize(Porter::stem(long_word_));
    return make_word(long_word_);
  }

  Tokenizer tokenizer_;
  Poll& poll_;
  Vocabulary vocabulary_;
  Stems stems_;
  Spans spans_;
  std::string rewritten_;
  std::string long_word_;
};

}  // namespace bleu_rouge
