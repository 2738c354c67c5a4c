// The kernel as the Python module bleu_rouge_kernel; only this file, columns.hpp and gil.hpp use
// Python.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/poll.hpp"
#include "base/threads.hpp"
#include "kernel/columns.hpp"
#include "kernel/count_bleu.hpp"
#include "kernel/count_rouge.hpp"
#include "kernel/gil.hpp"
#include "kernel/sources.hpp"
#include "text/porter.hpp"
#include "text/text.hpp"
#include "text/tokenizers.hpp"

namespace nb = nanobind;

namespace bleu_rouge {
namespace {

// Add 1 whenever the functions below or their counts change; native_kernel.py has the same number.
constexpr int kVersion = 5;

// A distance that no two tokens of a text reach.
constexpr std::size_t kMostDistance = std::size_t{1} << 31;

// Generous: the options allow orders up to 100, and threads.py the same number of threads.
constexpr std::size_t kMostOrder = 1024;
constexpr std::size_t kMostThreads = 1024;

// In bytes. A thread that helps has at least so much text to count, which takes far longer than to
// wake it and to give it memory. Less text is not shared: ``time_threads`` of bench/scale.py.
constexpr std::size_t kLeastPerThread = 1 << 16;

template <std::size_t dimensions, class T = std::int64_t>
using Output = nb::ndarray<T, nb::ndim<dimensions>, nb::c_contig, nb::device::cpu>;

template <class AnyOutput>
auto writable(const AnyOutput& output) {
  return std::span(output.data(), output.size());
}

Tokenizer tokenizer_by_name(std::string_view name) {
  if (name == "rouge") return Tokenizer::kRouge;
  if (name == "rouge_stemmed") return Tokenizer::kRougeStemmed;
  if (name == "rouge-1.5.5") return Tokenizer::kRouge155;
  if (name == "13a") return Tokenizer::k13a;
  if (name == "whitespace") return Tokenizer::kWhitespace;
  if (name == "char") return Tokenizer::kChar;
  throw std::invalid_argument("unknown tokenizer '" + std::string(name) + "'.");
}

/// Converts an int of Python, of any size.
///
/// Raises: std::invalid_argument, unless it is from 1 to `most`.
std::size_t read_number(std::string_view name, const nb::int_& number, std::size_t most) {
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow != 0 || value < 1 || static_cast<unsigned long long>(value) > most) {
    throw std::invalid_argument(std::string(name) + " is " + nb::repr(number).c_str() +
                                "; expected 1 to " + std::to_string(most) + ".");
  }
  return static_cast<std::size_t>(value);
}

std::vector<std::size_t> read_numbers(std::string_view name, const std::vector<nb::int_>& numbers,
                                      std::size_t most) {
  std::vector<std::size_t> result;
  for (const nb::int_& number : numbers) result.push_back(read_number(name, number, most));
  return result;
}

/// Raises std::invalid_argument unless an output array has the expected size.
void check_size(std::size_t size, std::size_t expected) {
  if (size != expected) throw std::invalid_argument("an output array has a wrong shape.");
}

/// Counts all samples without the GIL.
///
/// Raises: the error of a signal handler, such as KeyboardInterrupt.
template <class MakeCounter>
void count_all(std::size_t samples, std::size_t bytes, const nb::int_& threads,
               const MakeCounter& make_counter) {
  const std::size_t most = read_number("threads", threads, kMostThreads);
  try {
    const ReleasedGil released;
    share(samples, std::min(most, bytes / kLeastPerThread), is_signalled, make_counter);
  } catch (const Stopped&) {
    throw nb::python_error();
  }
}

TextSource make_source(const TextColumn& predictions, const TextColumn& references,
                       std::string_view tokenizer, Poll& poll) {
  return {predictions.texts(), references.texts(), tokenizer_by_name(tokenizer),
          predictions.bytes() + references.bytes(), poll};
}

IdSource make_source(const IdColumn& predictions, const IdColumn& references, Poll& poll) {
  return {predictions.texts(), references.texts(), poll};
}

template <class Column>
void check_samples(const Column& predictions, const Column& references, Bounds bounds) {
  check_bounds(bounds, references.size());
  if (bounds.size() != predictions.size() + 1) {
    throw std::invalid_argument("offsets and predictions differ in number.");
  }
}

template <class Column, class... Choice>
void count_bleu(const Column& predictions, const Column& references,
                const Numbers<std::int64_t>& offsets, const Choice&... tokenizer,
                const nb::int_& threads, const Output<2>& matches,
                const Output<1>& prediction_lengths, const Output<1>& reference_lengths) {
  const auto bounds = copy(offsets);
  check_samples(predictions, references, bounds);
  check_size(matches.shape(0), predictions.size());
  check_size(prediction_lengths.size(), predictions.size());
  check_size(reference_lengths.size(), references.size());
  // If make_source raises, it does so here, before any thread has started.
  Poll unused;
  static_cast<void>(make_source(predictions, references, tokenizer..., unused));
  count_all(predictions.size(), predictions.bytes() + references.bytes(), threads, [&](Poll& poll) {
    return BleuCounter(make_source(predictions, references, tokenizer..., poll), bounds,
                       matches.shape(1), writable(matches), writable(prediction_lengths),
                       writable(reference_lengths), poll);
  });
}

/// What count_rouge counts.
class RougePlan {
 public:
  using Values = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

  RougePlan(const std::vector<nb::int_>& orders, bool lcs, bool summary,
            const std::vector<nb::int_>& skip_distances, bool unigrams_but_last,
            const Values& values, bool lin2004)
      : values_(copy(values)),
        columns_{read_numbers("an order", orders, kShortOrders),
                 lcs,
                 summary,
                 read_numbers("a skip distance", skip_distances, kMostDistance),
                 unigrams_but_last,
                 {},
                 lin2004} {
    if (!std::ranges::is_sorted(columns_.orders, std::ranges::less_equal{})) {
      throw std::invalid_argument("orders are not ascending.");
    }
    const std::size_t lengths = values.shape(1);
    for (std::size_t row = 0; row < values.shape(0); ++row) {
      columns_.values.push_back(std::span(values_).subspan(row * lengths, lengths));
    }
  }
  RougePlan(const RougePlan&) = delete;
  RougePlan& operator=(const RougePlan&) = delete;

  const RougeColumns& columns() const { return columns_; }

 private:
  std::vector<double> values_;  // of the weighted LCS
  RougeColumns columns_;
};

template <class Column, class... Choice>
void count_rouge(const Column& predictions, const Column& references,
                 const Numbers<std::int64_t>& offsets, const Choice&... tokenizer,
                 const RougePlan& plan, const nb::int_& threads, const Output<3>& counts,
                 const Output<3, double>& weighted) {
  const auto bounds = copy(offsets);
  check_samples(predictions, references, bounds);
  const RougeColumns& columns = plan.columns();
  check_size(counts.shape(0), references.size());
  check_size(counts.shape(1), columns.size());
  check_size(counts.shape(2), 3);
  check_size(weighted.shape(0), references.size());
  check_size(weighted.shape(1), columns.values.size());
  check_size(weighted.shape(2), 3);
  if constexpr (std::is_same_v<Column, IdColumn>) {
    if (columns.needs_sentences() && !(predictions.has_sentences() && references.has_sentences())) {
      throw std::invalid_argument("the plan counts sentences; expected token ids with sentences.");
    }
  }
  Poll unused;
  static_cast<void>(make_source(predictions, references, tokenizer..., unused));
  count_all(predictions.size(), predictions.bytes() + references.bytes(), threads, [&](Poll& poll) {
    return RougeCounter(make_source(predictions, references, tokenizer..., poll), bounds, columns,
                        writable(counts), writable(weighted), poll);
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
nb::object list_numbers(std::span<const std::int64_t> numbers) {
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
class BleuPair {
 public:
  BleuPair(std::string_view tokenizer, const nb::int_& max_order)
      : max_order_(read_number("max_order", max_order, kMostOrder)),
        counter_(TextSource({}, {}, tokenizer_by_name(tokenizer), kLeastPerThread, poll_), {},
                 max_order_, {}, {}, {}, poll_) {}
  BleuPair(const BleuPair&) = delete;
  BleuPair& operator=(const BleuPair&) = delete;

  /// The matches of each order, the length of the prediction, and the length of each reference;
  /// None if the texts are long.
  nb::object count(const nb::str& prediction, const nb::list& references) {
    if (!texts_.assign(prediction, references)) return nb::none();
    numbers_.resize(max_order_ + 1 + texts_.reference_count());
    const std::span<std::int64_t> numbers(numbers_);
    counter_.count_pair(texts_.prediction(), texts_.references(), texts_.bounds(),
                        numbers.first(max_order_), numbers.subspan(max_order_, 1),
                        numbers.subspan(max_order_ + 1));
    return list_numbers(numbers);
  }

 private:
  Poll poll_;
  std::size_t max_order_;
  BleuCounter<TextSource> counter_;
  PairTexts texts_;
  std::vector<std::int64_t> numbers_;
};

/// The same for ROUGE without the weighted LCS.
class RougePair {
 public:
  RougePair(std::string_view tokenizer, const RougePlan& plan)
      : columns_(plan.columns()),
        counter_(TextSource({}, {}, tokenizer_by_name(tokenizer), kLeastPerThread, poll_), {},
                 columns_, {}, {}, poll_) {
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
    counter_.count_pair(texts_.prediction(), texts_.references(), texts_.bounds(), numbers_, {});
    return list_numbers(numbers_);
  }

 private:
  Poll poll_;
  RougeColumns columns_;
  RougeCounter<TextSource> counter_;
  PairTexts texts_;
  std::vector<std::int64_t> numbers_;
};

/// The tokens of each text, as the kernel counts them; for tests.
std::vector<std::vector<nb::bytes>> tokenize(const TextColumn& column, std::string_view name) {
  Poll poll;
  Encoder encoder(tokenizer_by_name(name), column.bytes(), poll);
  std::vector<std::vector<nb::bytes>> result;
  Buffer<char> utf8;
  for (const Text& text : column.texts()) {
    std::vector<nb::bytes>& tokens = result.emplace_back();
    encoder.for_each_word(read_utf8(text, utf8, poll), nullptr, [&tokens](std::size_t count, auto&& word_at) {
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
nb::bytes stem(const nb::bytes& word) {
  std::string letters(word.c_str(), word.size());
  letters.resize(Porter::stem(letters));
  return nb::bytes(letters.data(), letters.size());
}

}  // namespace
}  // namespace bleu_rouge

NB_MODULE(bleu_rouge_kernel, module) {
  using bleu_rouge::IdColumn;
  using bleu_rouge::RougePlan;
  using bleu_rouge::TextColumn;
  using IdChoice = std::string_view;  // the tokenizer of texts; ids have none

  // nanobind frees an array with PyGILState_Ensure, which waits forever in a sub-interpreter.
  // Python 3.12 and later refuse by themselves only if the sub-interpreter is isolated.
  if (PyInterpreterState_Get() != PyInterpreterState_Main()) {
    throw nb::import_error("bleu_rouge_kernel does not run in a sub-interpreter");
  }
  module.attr("VERSION") = bleu_rouge::kVersion;
  // Prepared pairs stay in caches of Python until it ends, which is no leak.
  nb::set_leak_warnings(false);

  nb::class_<TextColumn>(module, "TextColumn")
      .def(nb::init<const nb::list&>(), nb::arg("texts"))
      .def_static("of_arrow", &TextColumn::of_arrow<std::int32_t>, nb::arg("chunks"))
      .def_static("of_arrow", &TextColumn::of_arrow<std::int64_t>, nb::arg("chunks"))
      .def("__len__", &TextColumn::size);
  nb::class_<IdColumn>(module, "IdColumn")
      .def(nb::init<const IdColumn::Array&, const IdColumn::Array&, const IdColumn::Array&,
                    const IdColumn::Array&, const IdColumn::Array&, const IdColumn::Array&>(),
           nb::arg("tokens"), nb::arg("bounds"), nb::arg("sentence_tokens"),
           nb::arg("sentence_bounds"), nb::arg("ends"), nb::arg("ends_bounds"))
      .def("__len__", &IdColumn::size);

  nb::class_<RougePlan>(module, "RougePlan")
      .def(nb::init<const std::vector<nb::int_>&, bool, bool, const std::vector<nb::int_>&, bool,
                    const RougePlan::Values&, bool>(),
           nb::arg("orders"), nb::arg("lcs"), nb::arg("summary"), nb::arg("skip_distances"),
           nb::arg("unigrams_but_last"), nb::arg("values"), nb::arg("lin2004"));

  using bleu_rouge::BleuPair;
  using bleu_rouge::RougePair;
  // A lock where Python has no GIL.
  nb::class_<BleuPair>(module, "BleuPair")
      .def(nb::init<std::string_view, const nb::int_&>(), nb::arg("tokenizer"), nb::arg("max_order"))
      .def("count", &BleuPair::count, nb::arg("prediction"), nb::arg("references"),
           nb::lock_self());
  nb::class_<RougePair>(module, "RougePair")
      .def(nb::init<std::string_view, const RougePlan&>(), nb::arg("tokenizer"), nb::arg("plan"))
      .def("count", &RougePair::count, nb::arg("prediction"), nb::arg("references"),
           nb::lock_self());

  module.def("count_bleu", &bleu_rouge::count_bleu<TextColumn, IdChoice>, nb::arg("predictions"),
             nb::arg("references"), nb::arg("offsets"), nb::arg("tokenizer"), nb::arg("threads"),
             nb::arg("matches").noconvert(), nb::arg("prediction_lengths").noconvert(),
             nb::arg("reference_lengths").noconvert());
  module.def("count_bleu", &bleu_rouge::count_bleu<IdColumn>, nb::arg("predictions"),
             nb::arg("references"), nb::arg("offsets"), nb::arg("threads"),
             nb::arg("matches").noconvert(), nb::arg("prediction_lengths").noconvert(),
             nb::arg("reference_lengths").noconvert());
  module.def("count_rouge", &bleu_rouge::count_rouge<TextColumn, IdChoice>, nb::arg("predictions"),
             nb::arg("references"), nb::arg("offsets"), nb::arg("tokenizer"), nb::arg("plan"),
             nb::arg("threads"), nb::arg("counts").noconvert(), nb::arg("weighted").noconvert());
  module.def("count_rouge", &bleu_rouge::count_rouge<IdColumn>, nb::arg("predictions"),
             nb::arg("references"), nb::arg("offsets"), nb::arg("plan"), nb::arg("threads"),
             nb::arg("counts").noconvert(), nb::arg("weighted").noconvert());
  module.def("tokenize", &bleu_rouge::tokenize, nb::arg("texts"), nb::arg("tokenizer"));
  module.def("stem", &bleu_rouge::stem, nb::arg("word"));
}
