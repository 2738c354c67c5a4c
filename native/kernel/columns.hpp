// Columns of texts and of token ids that Python objects own.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/samples.hpp"
#include "kernel/sources.hpp"
#include "text/text.hpp"

namespace bleu_rouge {

namespace nb = nanobind;

// Positions in a text take 32 bits, with some room after the last byte.
inline constexpr std::size_t kTooLong = (std::size_t{1} << 31) - 1024;

using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Numbers = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<const T> view(const Numbers<T>& numbers) {
  return {numbers.data(), numbers.size()};
}

/// Raises std::invalid_argument unless the bounds are ascending, from at least 0 to at most `most`.
template <class T>
void check_bounds(std::span<const T> bounds, std::size_t most) {
  if (bounds.empty() || bounds.front() < 0 || !std::ranges::is_sorted(bounds) ||
      static_cast<std::uint64_t>(bounds.back()) > most) {
    throw std::invalid_argument("offsets do not fit the data; expected them to rise within it.");
  }
}

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

/// Views a str; raises TypeError if the item is none.
inline Str read_str(nb::handle item) {
  if (!PyUnicode_Check(item.ptr())) {
    throw nb::type_error("a text is no str; expected a list of str.");
  }
#if PY_VERSION_HEX < 0x030C0000
  if (PyUnicode_READY(item.ptr()) < 0) throw nb::python_error();
#endif
  const Units units = PyUnicode_IS_ASCII(item.ptr()) ? Units::kUtf8
                                                     : static_cast<Units>(PyUnicode_KIND(item.ptr()));
  return {PyUnicode_DATA(item.ptr()), static_cast<std::size_t>(PyUnicode_GET_LENGTH(item.ptr())),
          units};
}

/// The predictions, or the references, of all samples; views of texts that Python objects own.
class TextColumn {
 public:
  /// Adds the items of a list of str without copying them. A str beyond ASCII is converted to UTF-8
  /// when it is read; Python does not cache this UTF-8.
  void add_list(const nb::list& list) {
    // The tuple keeps the texts alive if another thread changes the list meanwhile.
    const nb::tuple items(list);
    views_.reserve(views_.size() + items.size());
    owners_.push_back(items);
    for (const nb::handle item : items) {
      const Str text = read_str(item);
      add(text.data, text.length, text.units);
    }
  }

  /// Adds a chunk of an Arrow string array: its bytes and the offsets of its texts.
  template <class Offset>
  void add_arrow(const Bytes& bytes, const Numbers<Offset>& offsets) {
    const std::span<const Offset> bounds = view(offsets);
    check_bounds(bounds, bytes.size());
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

  std::size_t size() const { return views_.size(); }
  std::size_t bytes() const { return bytes_; }
  Texts texts() const { return views_; }

 private:
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

/// Token ids of the predictions, or of the references, of all samples, in NumPy arrays.
class IdColumn {
 public:
  using Array = Numbers<std::int64_t>;

  IdColumn(const Array& tokens, const Array& bounds, const Array& sentence_tokens,
           const Array& sentence_bounds, const Array& ends, const Array& ends_bounds)
      : arrays_{tokens, bounds, sentence_tokens, sentence_bounds, ends, ends_bounds} {
    check_bounds(view(bounds), tokens.size());
    check_texts(view(bounds));
    if (sentence_bounds.size() == 0) return;
    check_bounds(view(sentence_bounds), sentence_tokens.size());
    check_texts(view(sentence_bounds));
    check_bounds(view(ends_bounds), ends.size());
    if (sentence_bounds.size() != bounds.size() || ends_bounds.size() != bounds.size()) {
      throw std::invalid_argument("sentences and texts differ in number.");
    }
    for (std::size_t text = 0; text < size(); ++text) {
      const auto in_text = IdTexts::slice(view(ends), view(ends_bounds), text);
      const auto tokens_in_text =
          IdTexts::slice(view(sentence_tokens), view(sentence_bounds), text);
      if (!in_text.empty()) check_bounds(in_text, tokens_in_text.size());
    }
  }

  std::size_t size() const { return arrays_[1].size() - 1; }
  std::size_t bytes() const { return arrays_[0].size() * sizeof(std::int64_t); }
  bool has_sentences() const { return arrays_[3].size() != 0; }

  IdTexts texts() const {
    return {view(arrays_[0]), view(arrays_[1]), view(arrays_[2]),
            view(arrays_[3]), view(arrays_[4]), view(arrays_[5])};
  }

 private:
  void check_texts(Bounds bounds) const {
    for (std::size_t text = 0; text + 1 < bounds.size(); ++text) {
      check_length(static_cast<std::size_t>(bounds[text + 1] - bounds[text]), text);
    }
  }

  std::array<Array, 6> arrays_;
};

}  // namespace bleu_rouge
