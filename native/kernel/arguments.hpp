// Read and check what Python passes: numbers, plans and arrays.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/counter.hpp"

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

}  // namespace bleu_rouge
