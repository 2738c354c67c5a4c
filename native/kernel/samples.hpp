// Read samples as ids of tokens, one sample after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "kernel/sources.hpp"

namespace bleu_rouge {

/// The start of each sample's references, and the end of the last one's.
using Bounds = std::span<const std::int64_t>;

inline std::int64_t count_ngrams(std::size_t tokens, std::size_t order) {
  return tokens < order ? 0 : static_cast<std::int64_t>(tokens - order + 1);
}

/// Encodes one sample after the other; all samples share the memory.
template <class Source>
class SampleReader {
 public:
  SampleReader(Source source, Bounds bounds) : source_(std::move(source)), bounds_(bounds) {}

  /// `in_references`: what a word gets that only a reference has; an id only if words of a reference
  /// are compared with each other.
  void read(std::size_t sample, bool wants_sentences,
            NewWords in_references = NewWords::kUnknown) {
    prediction_.clear();
    references_.clear();
    source_.add_prediction(sample, wants_sentences, prediction_);
    for (std::size_t reference = first(sample); reference < first(sample + 1); ++reference) {
      source_.add_reference(reference, wants_sentences, in_references, references_);
    }
  }

  /// Reads other texts from now on; only for a source of texts.
  void assign(const typename Source::Column& predictions, const typename Source::Column& references,
              Bounds bounds) {
    source_.assign(predictions, references);
    bounds_ = bounds;
  }

  std::size_t first(std::size_t sample) const { return static_cast<std::size_t>(bounds_[sample]); }
  const Encoded& prediction() const { return prediction_; }
  const Encoded& references() const { return references_; }
  std::size_t distinct() { return source_.distinct(); }

 private:
  Source source_;
  Bounds bounds_;
  Encoded prediction_;
  Encoded references_;
};

}  // namespace bleu_rouge
