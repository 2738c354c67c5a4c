// Read and check what Python passes: numbers and output arrays.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

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

/// Raises std::invalid_argument with this message unless a condition holds.
inline void check(bool holds, const char* message) {
  if (!holds) throw std::invalid_argument(message);
}

/// Raises std::invalid_argument unless an output array has the expected size.
inline void check_size(std::size_t size, std::size_t expected) {
  check(size == expected, "an output array has a wrong shape.");
}

}  // namespace bleu_rouge
