// Read and check what Python passes: numbers, plans, arrays, columns of texts and of token ids that
// Python objects own, and forms of words that Python finds.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "base/poll.hpp"
#include "kernel/counter.hpp"
#include "kernel/gil.hpp"
#include "kernel/samples.hpp"
#include "text/forms.hpp"
#include "text/text.hpp"

namespace bleu_rouge {

namespace nb = nanobind;

// A distance that no two tokens of a text reach.
inline constexpr std::size_t kMostDistance = std::size_t{1} << 31;

// Generous: the options allow orders up to 100, and threads.py the same number of threads.
inline constexpr std::size_t kMostOrder = 1024;
inline constexpr std::size_t kMostThreads = 1024;

template <std::size_t dimensions, class T = std::int64_t>
using Output = nb::ndarray<T, nb::ndim<dimensions>, nb::c_contig, nb::device::cpu>;

template <class AnyOutput>
auto writable(const AnyOutput& output) {
  return std::span(output.data(), output.size());
}

/// Converts an int of Python, of any size.
///
/// Raises: std::invalid_argument, unless it is from 1 to `most`.
inline std::size_t read_number(std::string_view name, const nb::int_& number, std::size_t most) {
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow != 0 || value < 1 || static_cast<unsigned long long>(value) > most) {
    throw std::invalid_argument(std::string(name) + " is " + nb::repr(number).c_str() +
                                "; expected 1 to " + std::to_string(most) + ".");
  }
  return static_cast<std::size_t>(value);
}

inline std::vector<std::size_t> read_numbers(std::string_view name,
                                             const std::vector<nb::int_>& numbers,
                                             std::size_t most) {
  std::vector<std::size_t> result;
  for (const nb::int_& number : numbers) result.push_back(read_number(name, number, most));
  return result;
}

template <class T>
using Numbers = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Indices = Numbers<std::int64_t>;
using RunValuesArray = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

/// Copies an array before it is checked, because another thread may change it while the kernel
/// counts without the GIL.
template <class Array>
auto copy(const Array& numbers) {
  return std::vector(numbers.data(), numbers.data() + numbers.size());
}

/// Raises std::invalid_argument with this message unless a condition holds.
inline void check(bool holds, const char* message) {
  if (!holds) throw std::invalid_argument(message);
}

/// Raises std::invalid_argument unless the bounds are ascending, from at least 0 to at most `most`.
template <class T>
void check_bounds(std::span<const T> bounds, std::size_t most) {
  check(!bounds.empty() && bounds.front() >= 0 && std::ranges::is_sorted(bounds) &&
            static_cast<std::uint64_t>(bounds.back()) <= most,
        "offsets do not fit the data; expected them to rise within it.");
}

/// Raises std::invalid_argument unless an output array has the expected size.
inline void check_size(std::size_t size, std::size_t expected) {
  check(size == expected, "an output array has a wrong shape.");
}

/// Checks the outputs of a plan for this number of pairs.
inline void check_outputs(const Output<3>& counts, const Output<3, double>& weighted,
                          std::size_t pairs, const CountPlan& plan) {
  check_size(counts.shape(0), pairs);
  check_size(counts.shape(1), plan.size());
  check_size(counts.shape(2), 3);
  check_size(weighted.shape(0), pairs);
  check_size(weighted.shape(1), plan.values.size());
  check_size(weighted.shape(2), 3);
}

inline CountPlan make_plan(const std::vector<nb::int_>& orders, bool lcs, bool summary,
                           const std::vector<nb::int_>& skip_distances, bool unigrams_but_last,
                           const RunValuesArray& values, bool lin2004, bool once, bool pairs,
                           bool clipped) {
  CountPlan plan{read_numbers("an order", orders, kMostOrder),
                 lcs,
                 summary,
                 read_numbers("a skip distance", skip_distances, kMostDistance),
                 unigrams_but_last,
                 {},
                 lin2004,
                 once,
                 pairs,
                 clipped};
  check(std::ranges::is_sorted(plan.orders, std::ranges::less_equal{}),
        "orders are not ascending.");
  const std::size_t lengths = values.shape(1);
  for (std::size_t row = 0; row < values.shape(0); ++row) {
    const double* const first = values.data() + row * lengths;
    plan.values.emplace_back(first, first + lengths);
  }
  return plan;
}

// Positions in a text take 32 bits, with some room after the last byte.
inline constexpr std::size_t kTooLong = (std::size_t{1} << 31) - 1024;

using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
inline void check_length(std::size_t length, std::size_t index) {
  if (length < kTooLong) return;
  throw std::invalid_argument("text " + std::to_string(index) + " has " + std::to_string(length) +
                              " bytes; expected less than 2 GiB.");
}

/// A view of a str.
struct Str {
  const void* data;
  std::size_t length;  // in units
  Units units;
};

/// Views a str; raises TypeError if the item is not one.
inline Str read_str(nb::handle item) {
  if (!PyUnicode_Check(item.ptr())) {
    throw nb::type_error("a text is not a str; expected a list of str.");
  }
#if PY_VERSION_HEX < 0x030C0000
  if (PyUnicode_READY(item.ptr()) < 0) throw nb::python_error();
#endif
  const Units units = PyUnicode_IS_ASCII(item.ptr()) ? Units::kUtf8
                                                     : static_cast<Units>(PyUnicode_KIND(item.ptr()));
  return {PyUnicode_DATA(item.ptr()), static_cast<std::size_t>(PyUnicode_GET_LENGTH(item.ptr())),
          units};
}

/// Whether every item is a str.
inline bool are_texts(const nb::list& items) {
  return std::ranges::all_of(items, [](nb::handle item) { return PyUnicode_Check(item.ptr()); });
}

/// Whether a text may be a missing value, which has at most four characters, or a list, which begins
/// with a bracket.
inline bool may_be_mistake(nb::handle item) {
  read_str(item);  // raises TypeError if it is none
  const Py_ssize_t length = PyUnicode_GET_LENGTH(item.ptr());
  if (length < 5) return true;
  Py_ssize_t start = 0;
  while (start < length && Py_UNICODE_ISSPACE(PyUnicode_READ_CHAR(item.ptr(), start))) ++start;
  return start < length && PyUnicode_READ_CHAR(item.ptr(), start) == '[';
}

/// The indices of the texts that may be missing values or lists.
inline nb::list find_suspects(const nb::list& items) {
  nb::list found;
  std::size_t index = 0;
  for (const nb::handle item : items) {
    if (may_be_mistake(item)) found.append(index);
    ++index;
  }
  return found;
}

/// The predictions, or the references, of all samples; views of texts that Python objects own. Once
/// made, a column does not change, because it is read without the GIL.
class TextColumn {
 public:
  /// The bytes of an Arrow string array, and the offsets of its texts.
  template <class Offset>
  using Chunk = std::pair<Bytes, Numbers<Offset>>;

  /// Views the items of a list of str without copying them. A str beyond ASCII is converted to
  /// UTF-8 when it is read; Python does not cache this UTF-8.
  explicit TextColumn(const nb::list& list) {
    // The tuple keeps the texts alive if another thread changes the list meanwhile.
    const nb::tuple items(list);
    views_.reserve(items.size());
    owners_.push_back(items);
    for (const nb::handle item : items) {
      const Str text = read_str(item);
      add(text.data, text.length, text.units);
    }
  }

  /// Views the texts of Arrow string arrays. Their bytes are not copied: if they change while they
  /// are read, the tokens are not defined, but nothing is read beyond the text.
  template <class Offset>
  static TextColumn of_arrow(const std::vector<Chunk<Offset>>& chunks) {
    TextColumn column;
    for (const auto& [bytes, offsets] : chunks) column.add_chunk(bytes, copy(offsets));
    return column;
  }

  std::size_t size() const { return views_.size(); }
  std::size_t bytes() const { return bytes_; }
  Texts texts() const { return views_; }

 private:
  TextColumn() = default;

  template <class Offset>
  void add_chunk(const Bytes& bytes, const std::vector<Offset>& bounds) {
    check_bounds(std::span(bounds), bytes.size());
    const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    views_.reserve(views_.size() + bounds.size() - 1);
    owners_.push_back(nb::cast(bytes));
    for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
      const auto first = static_cast<std::size_t>(bounds[i]);
      const std::string_view text =
          all.substr(first, static_cast<std::size_t>(bounds[i + 1]) - first);
      add(text.data(), text.size(), Units::kUtf8);
    }
  }

  void add(const void* data, std::size_t length, Units units) {
    // The bytes of the UTF-8 are counted only if the text may be too long.
    if (length >= kTooLong / most_bytes_of(units)) {
      check_length(count_utf8(data, length, units), views_.size());
    }
    bytes_ += length;
    views_.push_back({data, static_cast<std::uint32_t>(length), units});
  }

  std::vector<Text> views_;
  std::vector<nb::object> owners_;
  std::size_t bytes_ = 0;
};

/// Copies of the token ids of the predictions, or of the references, of all samples.
class IdColumn {
 public:
  using Array = Numbers<std::int64_t>;

  IdColumn(const Array& tokens, const Array& bounds, const Array& sentence_tokens,
           const Array& sentence_bounds, const Array& ends, const Array& ends_bounds)
      : tokens_(copy(tokens)),
        bounds_(copy(bounds)),
        sentence_tokens_(copy(sentence_tokens)),
        sentence_bounds_(copy(sentence_bounds)),
        ends_(copy(ends)),
        ends_bounds_(copy(ends_bounds)) {
    check_texts(bounds_, tokens_.size());
    if (!has_sentences()) return;
    check_texts(sentence_bounds_, sentence_tokens_.size());
    check_bounds(Bounds(ends_bounds_), ends_.size());
    if (sentence_bounds_.size() != bounds_.size() || ends_bounds_.size() != bounds_.size()) {
      throw std::invalid_argument("sentences and texts differ in number.");
    }
    for (std::size_t text = 0; text < size(); ++text) {
      const auto in_text = IdTexts::slice(ends_, ends_bounds_, text);
      const auto tokens_in_text = IdTexts::slice(sentence_tokens_, sentence_bounds_, text);
      if (!in_text.empty()) check_bounds(in_text, tokens_in_text.size());
    }
  }

  std::size_t size() const { return bounds_.size() - 1; }
  std::size_t bytes() const { return tokens_.size() * sizeof(std::int64_t); }
  bool has_sentences() const { return !sentence_bounds_.empty(); }

  IdTexts texts() const {
    return {tokens_, bounds_, sentence_tokens_, sentence_bounds_, ends_, ends_bounds_};
  }

 private:
  using Copy = std::vector<std::int64_t>;

  static void check_texts(Bounds bounds, std::size_t tokens) {
    check_bounds(bounds, tokens);
    for (std::size_t text = 0; text + 1 < bounds.size(); ++text) {
      check_length(static_cast<std::size_t>(bounds[text + 1] - bounds[text]), text);
    }
  }

  Copy tokens_;
  Copy bounds_;
  Copy sentence_tokens_;
  Copy sentence_bounds_;
  Copy ends_;
  Copy ends_bounds_;
};

/// Asks a function of Python, from a str to a list of the form, which is empty if there is none.
class WordForms : public Forms {
 public:
  explicit WordForms(nb::callable find) : find_(std::move(find)) {}

  /// Raises: nb::python_error, what the function raises.
  std::optional<std::string> find(std::string_view word) const override {
    const TakenGil taken;
    const nb::object text = nb::steal(PyUnicode_DecodeUTF8(
        word.data(), static_cast<Py_ssize_t>(word.size()), "surrogatepass"));
    if (!text.is_valid()) throw nb::python_error();
    const auto forms = nb::cast<nb::list>(find_(text));
    if (forms.size() == 0) return std::nullopt;
    const nb::object form = forms[0];
    const Str str = read_str(form);
    check_length(str.length, 0);
    Poll poll;
    Buffer<char> utf8;
    return std::string(
        read_utf8({str.data, static_cast<std::uint32_t>(str.length), str.units}, utf8, poll));
  }

 private:
  nb::callable find_;
};

}  // namespace bleu_rouge
