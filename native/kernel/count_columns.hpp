// Count all samples of columns without the GIL, on several threads.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <type_traits>

#include "base/poll.hpp"
#include "base/threads.hpp"
#include "kernel/arguments.hpp"
#include "kernel/columns.hpp"
#include "kernel/count_bleu.hpp"
#include "kernel/count_rouge.hpp"
#include "kernel/gil.hpp"
#include "kernel/rouge_plan.hpp"
#include "kernel/samples.hpp"
#include "kernel/sources.hpp"

namespace bleu_rouge {

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

inline TextSource make_source(const TextColumn& predictions, const TextColumn& references,
                              const Tokenization& tokenization, Poll& poll) {
  return {predictions.texts(), references.texts(), tokenization,
          predictions.bytes() + references.bytes(), poll};
}

inline IdSource make_source(const IdColumn& predictions, const IdColumn& references, Poll& poll) {
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
                const Numbers<std::int64_t>& offsets, const Choice&... tokenization,
                const nb::int_& threads, const Output<2>& matches,
                const Output<1>& prediction_lengths, const Output<1>& reference_lengths) {
  const auto bounds = copy(offsets);
  check_samples(predictions, references, bounds);
  check_size(matches.shape(0), predictions.size());
  check_size(prediction_lengths.size(), predictions.size());
  check_size(reference_lengths.size(), references.size());
  // If make_source raises, it does so here, before any thread has started.
  Poll unused;
  static_cast<void>(make_source(predictions, references, tokenization..., unused));
  count_all(predictions.size(), predictions.bytes() + references.bytes(), threads, [&](Poll& poll) {
    return BleuCounter(make_source(predictions, references, tokenization..., poll), bounds,
                       matches.shape(1), writable(matches), writable(prediction_lengths),
                       writable(reference_lengths), poll);
  });
}

template <class Column, class... Choice>
void count_rouge(const Column& predictions, const Column& references,
                 const Numbers<std::int64_t>& offsets, const Choice&... tokenization,
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
  static_cast<void>(make_source(predictions, references, tokenization..., unused));
  count_all(predictions.size(), predictions.bytes() + references.bytes(), threads, [&](Poll& poll) {
    return RougeCounter(make_source(predictions, references, tokenization..., poll), bounds, columns,
                        writable(counts), writable(weighted), poll);
  });
}

}  // namespace bleu_rouge
