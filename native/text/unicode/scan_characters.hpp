// Find the words of a text by a rule that reads its characters one by one, in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/buffer.hpp"
#include "base/poll.hpp"
#include "text/scan.hpp"

namespace bleu_rouge {

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
