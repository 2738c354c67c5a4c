// Count all samples of columns without the GIL, on several threads.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "base/poll.hpp"
#include "base/threads.hpp"
#include "kernel/arguments.hpp"
#include "kernel/columns.hpp"
#include "kernel/counter.hpp"
#include "kernel/gil.hpp"
#include "kernel/samples.hpp"

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

}  // namespace bleu_rouge
