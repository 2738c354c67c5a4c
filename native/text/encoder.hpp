// Encode a text as the ids of its tokens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/buffer.hpp"
#include "base/poll.hpp"
#include "counts/ids.hpp"
#include "text/block.hpp"
#include "text/forms.hpp"
#include "text/scan.hpp"
#include "text/tokenizers.hpp"
#include "text/unicode/fold.hpp"
#include "text/unicode/graphemes.hpp"
#include "text/unicode/lower.hpp"
#include "text/unicode/marks.hpp"
#include "text/unicode/words.hpp"
#include "text/vocabulary.hpp"

namespace bleu_rouge {

/// Tokenizes texts and looks their tokens up in the vocabulary of the current sample.
class Encoder {
 public:
  Encoder(const Tokenization& tokenization, Poll& poll)
      : tokenizer_(tokenization.tokenizer),
        truncation_(tokenization.truncation),
        forms_(tokenization.forms),
        stems_(tokenizer_ == Tokenizer::kRougeStemmed ? PorterForms::get() : nullptr),
        poll_(poll) {
    if (tokenization.lowercase) lowering_ = std::make_unique<Lowering>();
    if (tokenizer_ == Tokenizer::kUnicode) folder_ = std::make_unique<Folder>();
    if (tokenizer_ == Tokenizer::kXlsum || tokenizer_ == Tokenizer::kXlsumLine) {
      xlsum_ = std::make_unique<XlsumRewriter>();
    }
  }

  Vocabulary& vocabulary() { return vocabulary_; }

  /// What is tokenized of a text; valid until the next call.
  std::string_view prepare(std::string_view text) {
    if (lowering_) text = check_size(lowering_->lower(text, poll_));
    return truncation_ ? truncate(text, truncation_, cut_) : text;
  }

  /// Whether the tokens of a text may be the tokens of its lines, one line after the other;
  /// keeps_lines() tells it after the text was encoded.
  bool may_keep_lines(std::string_view text) const {
    switch (tokenizer_) {
      case Tokenizer::k13a:
      case Tokenizer::kInternational:
      case Tokenizer::kChinese:
        return text.find('\n') == std::string_view::npos;
      default:
        return true;
    }
  }

  /// Whether the last text, which may_keep_lines, has the tokens of its lines.
  bool keeps_lines() const { return tokenizer_ != Tokenizer::kXlsum || xlsum_->is_normalized(); }

  /// Appends the ids of the tokens of a text to `ids`.
  ///
  /// Args:
  ///   line_ends: output, for each newline the number of tokens of the text before it; null if not
  ///     needed.
  void encode(std::string_view text, NewWords new_words, Buffer<Id>& ids,
              Buffer<std::uint32_t>* line_ends = nullptr) {
    encode_with(tokenizer_, text, new_words, ids, line_ends);
  }

  /// Appends the ids of the tokens of one line of a text that does not keep its lines.
  void encode_line(std::string_view line, NewWords new_words, Buffer<Id>& ids) {
    const bool is_xlsum = tokenizer_ == Tokenizer::kXlsum;
    encode_with(is_xlsum ? Tokenizer::kXlsumLine : tokenizer_, line, new_words, ids, nullptr);
  }

  /// Calls `use(count, word_at)` with the tokens of a text, many at a time. `use` must call
  /// `word_at(index)` once for each index, in order.
  template <class Use>
  void for_each_word(std::string_view text, Use&& use) {
    for_each_word(tokenizer_, text, nullptr, use);
  }

 private:
  void encode_with(Tokenizer tokenizer, std::string_view text, NewWords new_words, Buffer<Id>& ids,
                   Buffer<std::uint32_t>* line_ends) {
    if (new_words == NewWords::kInsert) {
      encode_with<NewWords::kInsert>(tokenizer, text, ids, line_ends);
    } else {
      encode_with<NewWords::kUnknown>(tokenizer, text, ids, line_ends);
    }
  }

  template <NewWords new_words>
  void encode_with(Tokenizer tokenizer, std::string_view text, Buffer<Id>& ids,
                   Buffer<std::uint32_t>* line_ends) {
    for_each_word(tokenizer, text, line_ends, [this, &ids](std::size_t count, auto&& word_at) {
      vocabulary_.look_up<new_words>(count, word_at, ids.extend(count).data());
    });
  }

  template <class Use>
  void for_each_word(Tokenizer tokenizer, std::string_view text, Buffer<std::uint32_t>* line_ends,
                     Use&& use) {
    if (!forms_) return find_words(tokenizer, text, line_ends, use);
    const std::size_t first_line = line_ends != nullptr ? line_ends->size() : 0;
    std::uint32_t place = 0;
    left_out_.clear();
    find_words(tokenizer, text, line_ends, [&](std::size_t count, auto&& word_at) {
      forms_.start_part();
      words_.clear();
      for (std::size_t index = 0; index < count; ++index, ++place) {
        Word word = word_at(index);
        if (forms_.replace(word)) {
          words_.push_back(word);
        } else {
          left_out_.push_back(place);
        }
      }
      use(words_.size(), [this](std::size_t index) { return words_[index]; });
    });
    if (line_ends != nullptr) leave_out(line_ends->span().subspan(first_line));
  }

  /// Subtracts from the end of each line how many words before it are left out.
  void leave_out(std::span<std::uint32_t> ends) {
    std::uint32_t before = 0;
    for (std::uint32_t& end : ends) {
      while (before < left_out_.size() && left_out_[before] < end) ++before;
      end -= before;
    }
  }

  template <class Use>
  void find_words(Tokenizer tokenizer, std::string_view text, Buffer<std::uint32_t>* line_ends,
                  Use&& use) {
    switch (tokenizer) {
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
      case Tokenizer::kUnicode:
        return scan_each<UnicodeRule>(check_size(folder_->fold(text, poll_)), line_ends, use);
      case Tokenizer::kGrapheme:
        return scan_each<GraphemeRule>(text, line_ends, use);
      case Tokenizer::kInternational:
        return scan_each<InternationalRule>(text, line_ends, use);
      case Tokenizer::kChinese:
        return scan_each<ChineseRule>(text, line_ends, use);
      case Tokenizer::kXlsum:
        return scan_exact<WrittenRule>(check_size(xlsum_->tokenize(text, poll_)), line_ends, use);
      case Tokenizer::kXlsumLine:
        return scan_exact<WrittenRule>(check_size(xlsum_->normalize(text, poll_)), line_ends, use);
    }
  }

  /// A text that is longer than the text that was given.
  static std::string_view check_size(std::string_view text) {
    if (text.size() >= std::size_t{1} << 31) {
      throw std::length_error("a text has " + std::to_string(text.size()) +
                              " bytes after its normalization; expected less than 2 GiB.");
    }
    return text;
  }

  // rouge_score stems words of more than three characters.
  static constexpr std::size_t kLongestUnstemmed = 3;

  template <bool stemmed, class Use>
  void scan_rouge(std::string_view text, Buffer<std::uint32_t>* line_ends, Use& use) {
    scan<RougeRule>(text, spans_, line_ends, poll_, [&](const Readable& readable, const Spans& spans) {
      if constexpr (stemmed) stems_.start_part();
      use(spans.count(), [&](std::size_t index) {
        Word word = read_rouge(readable, spans, index);
        if constexpr (stemmed) {
          if (word.length > kLongestUnstemmed) stems_.replace(word);
        }
        return word;
      });
    });
  }

  template <class Rule, class Use>
  void scan_exact(std::string_view text, Buffer<std::uint32_t>* line_ends, Use& use) {
    scan<Rule>(text, spans_, line_ends, poll_, [&](const Readable& readable, const Spans& spans) {
      use(spans.count(), [&](std::size_t index) { return read_exact(readable, spans, index); });
    });
  }

  template <class Rule, class Use>
  void scan_each(std::string_view text, Buffer<std::uint32_t>* line_ends, Use& use) {
    scan_characters<Rule>(
        text, spans_, line_ends, poll_, [&](const Readable& readable, const Spans& spans) {
          use(spans.count(), [&](std::size_t index) { return read_exact(readable, spans, index); });
        });
  }

  /// The word, unchanged.
  // Inlined, because a call takes 5% more instructions per pair of sentences (bench/kernel.py).
  [[gnu::always_inline]] static Word read_exact(const Readable& readable, const Spans& spans, std::size_t index) {
    const std::size_t start = spans.start(index);
    const std::uint32_t length = spans.length(index);
    if (length > kShortWord) [[unlikely]] return make_word(readable.text().substr(start, length));
    const WordMask bytes = readable.registers(start);
    const WordMask& mask = kWordMasks[length];
    return {bytes.low & mask.low, bytes.high & mask.high, length, nullptr};
  }

  /// The word in lower case.
  [[gnu::always_inline]] Word read_rouge(const Readable& readable, const Spans& spans, std::size_t index) {
    const std::size_t start = spans.start(index);
    const std::uint32_t length = spans.length(index);
    if (length > kShortWord) [[unlikely]] {
      long_word_.assign(readable.text().substr(start, length));
      for (char& letter : long_word_) letter = static_cast<char>(letter | 0x20);
      return make_word(long_word_);
    }
    // Fast path: equals lower-casing each byte. Lower-case letters and digits have this bit
    // already, and upper-case letters do not have it.
    constexpr std::uint64_t kLowerCase = 0x2020202020202020U;
    const WordMask bytes = readable.registers(start);
    const WordMask& mask = kWordMasks[length];
    return {(bytes.low | kLowerCase) & mask.low, (bytes.high | kLowerCase) & mask.high, length,
            nullptr};
  }

  Tokenizer tokenizer_;
  Truncation truncation_;
  FormReader forms_;
  FormReader stems_;  // only of kRougeStemmed
  Poll& poll_;
  Vocabulary vocabulary_;
  Spans spans_;
  Buffer<Word> words_;               // forms of the words of a part of a text
  Buffer<std::uint32_t> left_out_;  // places of the words of a text that are left out
  std::string cut_;
  std::string rewritten_;
  std::unique_ptr<Lowering> lowering_;    // only if texts are put into lower case
  std::unique_ptr<Folder> folder_;        // only of kUnicode
  std::unique_ptr<XlsumRewriter> xlsum_;  // only of kXlsum and kXlsumLine
  std::string long_word_;
};

}  // namespace bleu_rouge
