// Find the words of a text, block by block or character by character, in bounded memory.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/bits.hpp"
#include "base/buffer.hpp"
#include "base/poll.hpp"
#include "text/block.hpp"

namespace bleu_rouge {

// A word of up to 16 bytes is compared in two registers.
inline constexpr std::size_t kShortWord = 16;

static_assert(std::endian::native == std::endian::little, "words are read into registers");

/// Masks of the bytes of two registers that belong to a word of some length.
struct WordMask {
  std::uint64_t low;
  std::uint64_t high;
};

inline constexpr std::array<WordMask, kShortWord + 1> kWordMasks = [] {
  std::array<WordMask, kShortWord + 1> masks{};
  for (std::size_t length = 0; length <= kShortWord; ++length) {
    masks[length].low = length >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * length)) - 1;
    masks[length].high = length >= 16  ? ~std::uint64_t{0}
                         : length <= 8 ? 0
                                       : (std::uint64_t{1} << (8 * (length - 8))) - 1;
  }
  return masks;
}();

/// A text that can be read in whole blocks and registers up to its end.
class Readable {
 public:
  explicit Readable(std::string_view text)
      : text_(text), last_block_(text.size() / kBlockBytes * kBlockBytes) {
    tail_start_ = last_block_ - std::min(last_block_, kShortWord);
    tail_.fill(' ');
    if (!text.empty()) std::memcpy(tail_.data(), text.data() + tail_start_, text.size() - tail_start_);
  }

  std::string_view text() const { return text_; }
  std::size_t last_block() const { return last_block_; }

  Block block(std::size_t at) const {
    return Block(at == last_block_ ? tail_.data() + (at - tail_start_) : text_.data() + at);
  }

  /// kShortWord bytes from `at` on; bytes after the end of the text are undefined.
  WordMask registers(std::size_t at) const {
    const char* bytes =
        at + kShortWord <= text_.size() ? text_.data() + at : tail_.data() + (at - tail_start_);
    WordMask result;
    std::memcpy(&result.low, bytes, sizeof(result.low));
    std::memcpy(&result.high, bytes + sizeof(result.low), sizeof(result.high));
    return result;
  }

 private:
  std::string_view text_;
  std::size_t last_block_;
  std::size_t tail_start_;
  std::array<char, kShortWord + kBlockBytes + kShortWord> tail_;
};

/// Adds complete words to spans one by one, with its count in a register.
class SpanWriter {
 public:
  SpanWriter(std::uint32_t* starts, std::uint32_t* ends, std::size_t count)
      : starts_(starts), ends_(ends), count_(count) {}

  std::size_t count() const { return count_; }

  /// Adds a word if `is_word` is 1, and nothing if it is 0.
  void add(std::size_t start, std::size_t end, unsigned is_word) {
    starts_[count_] = static_cast<std::uint32_t>(start);
    ends_[count_] = static_cast<std::uint32_t>(end);
    count_ += is_word;
  }

 private:
  std::uint32_t* starts_;
  std::uint32_t* ends_;
  std::size_t count_;
};

/// Starts and ends of the words that were found but not taken yet.
class Spans {
 public:
  void clear() { starts_count_ = ends_count_ = 0; }
  std::size_t starts_count() const { return starts_count_; }
  std::size_t count() const { return ends_count_; }
  bool is_full() const { return ends_count_ >= kMost; }
  std::uint32_t start(std::size_t index) const { return starts_[index]; }
  std::uint32_t length(std::size_t index) const { return ends_[index] - starts_[index]; }

  void add(std::uint64_t starts, std::uint64_t ends, std::size_t at) {
    starts_count_ = flatten(starts, at, starts_, starts_count_);
    ends_count_ = flatten(ends, at, ends_, ends_count_);
  }

  /// For up to kBlockBytes complete words more; no word without an end may precede them.
  SpanWriter writer() { return {starts_.data(), ends_.data(), ends_count_}; }

  void keep(const SpanWriter& writer) { starts_count_ = ends_count_ = writer.count(); }

  /// Removes the complete words; a word without an end stays.
  void take() {
    if (starts_count_ > ends_count_) {
      starts_[0] = starts_[ends_count_];
      starts_count_ = 1;
    } else {
      starts_count_ = 0;
    }
    ends_count_ = 0;
  }

 private:
  static constexpr std::size_t kMost = 448;
  using Positions = std::array<std::uint32_t, kMost + kBlockBytes + 1>;

  static std::size_t flatten(std::uint64_t bits, std::size_t at, Positions& positions,
                             std::size_t count) {
    for (; bits != 0; bits &= bits - 1) {
      positions[count++] = static_cast<std::uint32_t>(at + lowest_position(bits));
    }
    return count;
  }

  Positions starts_;
  Positions ends_;
  std::size_t starts_count_ = 0;
  std::size_t ends_count_ = 0;
};

// How many bytes of a long text are read before the poll is asked again.
inline constexpr std::size_t kPollBytes = 1 << 14;

/// Finds the words of a text and passes them to `consume(readable, spans)`, many at a time.
///
/// Args:
///   text: shorter than 2 GiB.
///   line_ends: output, for each newline the number of words before it; null if not needed.
template <class Rule, class Consume>
void scan(std::string_view text, Spans& spans, Buffer<std::uint32_t>* line_ends, Poll& poll,
          Consume&& consume) {
  Rule rule;
  const Readable readable(text);
  std::size_t words_taken = 0;
  spans.clear();
  for (std::size_t at = 0; at <= readable.last_block(); at += kBlockBytes) {
    const Block block = readable.block(at);
    const auto edges = rule(block, text, at);
    if (line_ends != nullptr) {
      for (std::uint64_t lines = block.equal('\n'); lines != 0; lines &= lines - 1) {
        const std::uint32_t before = count_ones(edges.starts & (lowest_bit(lines) - 1));
        line_ends->push_back(
            static_cast<std::uint32_t>(words_taken + spans.starts_count()) + before);
      }
    }
    spans.add(edges.starts, edges.ends, at);
    if (at % kPollBytes == kPollBytes - kBlockBytes) [[unlikely]] poll.did(kPollBytes);
    if (spans.is_full()) {
      consume(readable, spans);
      words_taken += spans.count();
      spans.take();
    }
  }
  consume(readable, spans);
}

/// Gets the words of a text from a rule, and passes them on, many at a time.
template <class Consume>
class SpanSink {
 public:
  SpanSink(std::string_view text, Spans& spans, Poll& poll, Consume& consume)
      : readable_(text), spans_(spans), poll_(poll), consume_(consume) {
    spans_.clear();
  }

  /// Makes room for kBlockBytes words. The words before are those of the bytes before `at`.
  SpanWriter make_room(std::size_t at) {
    if (spans_.is_full()) [[unlikely]] pass_on();
    if (at - polled_ >= kPollBytes) [[unlikely]] {
      poll_.did(at - polled_);
      polled_ = at;
    }
    return spans_.writer();
  }

  /// Keeps what a writer has added.
  void keep(const SpanWriter& writer) { spans_.keep(writer); }

  /// The number of words of the text so far.
  std::size_t count() const { return words_passed_on_ + spans_.count(); }

  void pass_on() {
    consume_(readable_, spans_);
    words_passed_on_ += spans_.count();
    spans_.take();
  }

 private:
  const Readable readable_;
  Spans& spans_;
  Poll& poll_;
  Consume& consume_;
  std::size_t words_passed_on_ = 0;
  std::size_t polled_ = 0;
};

/// Finds the words of a text and passes them to `consume(readable, spans)`, many at a time; as
/// `scan` does with rules for blocks.
///
/// Args:
///   text: shorter than 2 GiB.
///   line_ends: output, for each newline the number of words before it; null if not needed. If it
///     is needed, the words of the text must be those of its lines.
template <class Rule, class Consume>
void scan_characters(std::string_view text, Spans& spans, Buffer<std::uint32_t>* line_ends,
                     Poll& poll, Consume&& consume) {
  SpanSink sink(text, spans, poll, consume);
  std::size_t line_start = 0;
  if (line_ends != nullptr) {
    for (std::size_t line_end = text.find('\n'); line_end != std::string_view::npos;
         line_end = text.find('\n', line_start)) {
      Rule::find(text.substr(0, line_end), line_start, sink);
      line_ends->push_back(static_cast<std::uint32_t>(sink.count()));
      line_start = line_end + 1;
    }
  }
  Rule::find(text, line_start, sink);
  sink.pass_on();
}

}  // namespace bleu_rouge
