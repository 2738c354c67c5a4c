// What Python calls: count all samples of columns without the GIL, on several threads, or one short
// prediction with its references; show tokens and stems.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/buffer.hpp"
#include "base/poll.hpp"
#include "base/threads.hpp"
#include "kernel/columns.hpp"
#include "kernel/counter.hpp"
#include "kernel/gil.hpp"
#include "kernel/samples.hpp"
#include "text/encoder.hpp"
#include "text/porter.hpp"
#include "text/text.hpp"
#include "text/vocabulary.hpp"

namespace bleu_rouge {

/// Calls `use` without the GIL.
///
/// Raises: the error of a signal handler, such as KeyboardInterrupt.
template <class Use>
void without_gil(const Use& use) {
  try {
    const ReleasedGil released;
    use();
  } catch (const Stopped&) {
    throw nb::python_error();
  }
}

inline TextSource make_source(const TextColumn& predictions, const TextColumn& references,
                              const Tokenization& tokenization, Poll& poll) {
  return {predictions.texts(), references.texts(), tokenization, poll};
}

inline IdSource make_source(const IdColumn& predictions, const IdColumn& references, Poll& poll) {
  return {predictions.texts(), references.texts(), poll};
}

template <class Column, class... Choice>
void count(const Column& predictions, const Column& references, const Indices& offsets,
           const Choice&... tokenization, const CountPlan& plan, const nb::int_& threads,
           const Output<3>& counts, const Output<3, double>& weighted) {
  const auto bounds = copy(offsets);
  check_bounds(Bounds(bounds), references.size());
  check(bounds.size() == predictions.size() + 1, "offsets and predictions differ in number.");
  check_outputs(counts, weighted, references.size(), plan);
  if constexpr (std::is_same_v<Column, IdColumn>) {
    check(!plan.needs_sentences() || (predictions.has_sentences() && references.has_sentences()),
          "the plan counts sentences; expected token ids with sentences.");
  }
  const std::size_t bytes = predictions.bytes() + references.bytes();
  const std::size_t most = read_number("threads", threads, kMostThreads);
  // If make_source raises, it does so here, before any thread has started.
  Poll unused;
  static_cast<void>(make_source(predictions, references, tokenization..., unused));
  without_gil([&] {
    share(predictions.size(), std::min(most, bytes / kLeastPerThread), is_signalled,
          [&](Poll& poll) {
            return Counter(make_source(predictions, references, tokenization..., poll), bounds,
                           plan, writable(counts), writable(weighted), poll);
          });
  });
}

/// The texts of one prediction and its references, one pair after the other.
class PairTexts {
 public:
  /// Views the texts, as long as their owners keep them; false if they are too long to be counted
  /// without letting go of the GIL.
  bool assign(nb::handle prediction, const nb::list& references) {
    texts_.clear();
    std::size_t units = add(prediction);
    for (const nb::handle reference : references) units += add(reference);
    bounds_[1] = static_cast<std::int64_t>(texts_.size()) - 1;
    return units < kLeastPerThread;
  }

  Texts prediction() const { return Texts(texts_).first(1); }
  Texts references() const { return Texts(texts_).subspan(1); }
  std::size_t reference_count() const { return texts_.size() - 1; }
  Bounds bounds() const { return bounds_; }

 private:
  std::size_t add(nb::handle item) {
    const Str text = read_str(item);
    // A text that is too long is not read.
    texts_.push_back({text.data, static_cast<std::uint32_t>(text.length), text.units});
    return text.length;
  }

  std::vector<Text> texts_;
  std::array<std::int64_t, 2> bounds_{0, 0};
};

/// The numbers as a list of ints.
inline nb::object list_numbers(std::span<const std::int64_t> numbers) {
  nb::object list = nb::steal(PyList_New(static_cast<Py_ssize_t>(numbers.size())));
  if (!list.is_valid()) throw nb::python_error();
  for (std::size_t place = 0; place < numbers.size(); ++place) {
    PyObject* number = PyLong_FromLongLong(numbers[place]);
    if (number == nullptr) throw nb::python_error();
    PyList_SET_ITEM(list.ptr(), static_cast<Py_ssize_t>(place), number);
  }
  return list;
}

/// Counts one short prediction with its references after the other, and keeps its memory.
class PairCounter {
 public:
  PairCounter(const Tokenization& tokenization, const CountPlan& plan)
      : plan_(plan), tokenization_(tokenization) {
    check(plan_.values.empty(), "the plan has weights; expected a plan of integers.");
    check(plan_.size() != 0, "the plan has no column; expected at least one to count.");
  }
  PairCounter(const PairCounter&) = delete;
  PairCounter& operator=(const PairCounter&) = delete;

  /// Hits, total of the prediction and total of the reference, for each reference and column. Of a
  /// clipped plan: the hits of each column, then the totals of the first column, of the prediction
  /// and of each reference. None if the texts are long.
  nb::object count(const nb::str& prediction, const nb::list& references) {
    if (!texts_.assign(prediction, references)) return nb::none();
    const std::size_t width = plan_.size() * 3;
    numbers_.resize(texts_.reference_count() * width);
    try {
      if (!counter_) {
        counter_ = std::make_unique<Counter<TextSource>>(
            TextSource({}, {}, tokenization_, poll_), Bounds{}, plan_,
            std::span<std::int64_t>{}, std::span<double>{}, poll_);
      }
      counter_->count_pair(texts_.prediction(), texts_.references(), texts_.bounds(), numbers_, {});
    } catch (...) {
      // The counter may have stopped anywhere.
      counter_.reset();
      throw;
    }
    if (!plan_.clipped || numbers_.empty()) return list_numbers(numbers_);
    clipped_.clear();
    for (std::size_t at = 0; at < width; at += 3) clipped_.push_back(numbers_[at]);
    clipped_.push_back(numbers_[1]);
    for (std::size_t at = 2; at < numbers_.size(); at += width) clipped_.push_back(numbers_[at]);
    return list_numbers(clipped_);
  }

 private:
  Poll poll_;
  CountPlan plan_;
  Tokenization tokenization_;
  std::unique_ptr<Counter<TextSource>> counter_;
  PairTexts texts_;
  std::vector<std::int64_t> numbers_;
  std::vector<std::int64_t> clipped_;
};

/// The tokens of each text, as the kernel counts them; for tests.
inline std::vector<std::vector<nb::bytes>> tokenize(const TextColumn& column,
                                                    const Tokenization& tokenization) {
  Poll poll;
  Encoder encoder(tokenization, poll);
  std::vector<std::vector<nb::bytes>> result;
  Buffer<char> utf8;
  for (const Text& text : column.texts()) {
    std::vector<nb::bytes>& tokens = result.emplace_back();
    encoder.for_each_word(encoder.prepare(read_utf8(text, utf8, poll)), [&tokens](std::size_t count, auto&& word_at) {
      for (std::size_t index = 0; index < count; ++index) {
        const Word word = word_at(index);
        std::array<char, kShortWord> letters{};
        const std::string_view bytes = word.is_long() ? std::string_view(word.bytes, word.length)
                                                      : spell_short(word, letters.data());
        tokens.emplace_back(bytes.data(), bytes.size());
      }
    });
  }
  return result;
}

/// The stem of a word of lower-case letters and digits; for tests.
inline nb::bytes stem(const nb::bytes& word) {
  std::string letters(word.c_str(), word.size());
  letters.resize(Porter::stem(letters));
  return nb::bytes(letters.data(), letters.size());
}

}  // namespace bleu_rouge
