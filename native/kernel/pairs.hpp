// Count one short prediction with its references per call.
#pragma once

#include <nanobind/nanobind.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "base/poll.hpp"
#include "base/threads.hpp"
#include "kernel/arguments.hpp"
#include "kernel/columns.hpp"
#include "kernel/count_bleu.hpp"
#include "kernel/count_rouge.hpp"
#include "kernel/rouge_plan.hpp"
#include "kernel/samples.hpp"
#include "kernel/sources.hpp"
#include "text/text.hpp"

namespace bleu_rouge {

// The texts of later calls are not known, so there is room for the stems of some thousand words.
inline constexpr std::size_t kPairStemBytes = 1 << 14;

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

/// A counter whose memory is kept from one call to the next.
template <class Counter>
class KeptCounter {
 public:
  /// Calls `use` with the counter, or with what `make` makes. If `use` raises, the counter may have
  /// stopped anywhere, so it is dropped.
  template <class Make, class Use>
  void use(const Make& make, const Use& use) {
    try {
      if (!counter_) counter_ = make();
      use(*counter_);
    } catch (...) {
      counter_.reset();
      throw;
    }
  }

 private:
  std::unique_ptr<Counter> counter_;
};

/// Counts one short prediction with its references after the other, and keeps its memory.
class BleuPair {
 public:
  BleuPair(const Tokenization& tokenization, const nb::int_& max_order)
      : max_order_(read_number("max_order", max_order, kMostOrder)), tokenization_(tokenization) {}
  BleuPair(const BleuPair&) = delete;
  BleuPair& operator=(const BleuPair&) = delete;

  /// The matches of each order, the length of the prediction, and the length of each reference;
  /// None if the texts are long.
  nb::object count(const nb::str& prediction, const nb::list& references) {
    if (!texts_.assign(prediction, references)) return nb::none();
    numbers_.resize(max_order_ + 1 + texts_.reference_count());
    const std::span<std::int64_t> numbers(numbers_);
    counter_.use([this] { return make(); }, [&](Counter& counter) {
      counter.count_pair(texts_.prediction(), texts_.references(), texts_.bounds(),
                         numbers.first(max_order_), numbers.subspan(max_order_, 1),
                         numbers.subspan(max_order_ + 1));
    });
    return list_numbers(numbers);
  }

 private:
  using Counter = BleuCounter<TextSource>;

  std::unique_ptr<Counter> make() {
    return std::make_unique<Counter>(TextSource({}, {}, tokenization_, kPairStemBytes, poll_),
                                     Bounds{}, max_order_, std::span<std::int64_t>{},
                                     std::span<std::int64_t>{}, std::span<std::int64_t>{}, poll_);
  }

  Poll poll_;
  std::size_t max_order_;
  Tokenization tokenization_;
  KeptCounter<Counter> counter_;
  PairTexts texts_;
  std::vector<std::int64_t> numbers_;
};

/// The same for ROUGE without the weighted LCS.
class RougePair {
 public:
  RougePair(const Tokenization& tokenization, const RougePlan& plan)
      : columns_(plan.columns()), tokenization_(tokenization) {
    if (!columns_.values.empty()) {
      throw std::invalid_argument("the plan has weights; expected a plan of integers.");
    }
    if (columns_.size() == 0) {
      throw std::invalid_argument("the plan has no column; expected at least one to count.");
    }
  }
  RougePair(const RougePair&) = delete;
  RougePair& operator=(const RougePair&) = delete;

  /// Hits, total of the prediction and total of the reference, for each reference and column; None
  /// if the texts are long.
  nb::object count(const nb::str& prediction, const nb::list& references) {
    if (!texts_.assign(prediction, references)) return nb::none();
    numbers_.resize(texts_.reference_count() * columns_.size() * 3);
    counter_.use([this] { return make(); }, [this](Counter& counter) {
      counter.count_pair(texts_.prediction(), texts_.references(), texts_.bounds(), numbers_, {});
    });
    return list_numbers(numbers_);
  }

 private:
  using Counter = RougeCounter<TextSource>;

  std::unique_ptr<Counter> make() {
    return std::make_unique<Counter>(TextSource({}, {}, tokenization_, kPairStemBytes, poll_),
                                     Bounds{}, columns_, std::span<std::int64_t>{},
                                     std::span<double>{}, poll_);
  }

  Poll poll_;
  RougeColumns columns_;
  Tokenization tokenization_;
  KeptCounter<Counter> counter_;
  PairTexts texts_;
  std::vector<std::int64_t> numbers_;
};

}  // namespace bleu_rouge
