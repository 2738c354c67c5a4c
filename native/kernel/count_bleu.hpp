// Count for BLEU, sample by sample.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "base/bits.hpp"
#include "base/poll.hpp"
#include "counts/ngrams.hpp"
#include "counts/short_overlap.hpp"
#include "kernel/samples.hpp"

namespace bleu_rouge {

/// Clipped n-gram matches of each sample, and the lengths of its texts.
template <class Source>
class BleuCounter {
 public:
  /// Args:
  ///   matches: output, one number per sample and order.
  ///   prediction_lengths: output, one number per sample.
  ///   reference_lengths: output, one number per reference.
  ///   poll: the same poll as the source's.
  BleuCounter(Source source, Bounds bounds, std::size_t max_order, std::span<std::int64_t> matches,
              std::span<std::int64_t> prediction_lengths, std::span<std::int64_t> reference_lengths,
              Poll& poll)
      : reader_(std::move(source), bounds),
        max_order_(max_order),
        matches_(matches),
        prediction_lengths_(prediction_lengths),
        reference_lengths_(reference_lengths),
        poll_(poll),
        short_prediction_(poll),
        wide_prediction_(poll),
        ngrams_(poll) {}

  /// Counts one sample of other texts; the outputs are as for the constructor.
  void count_pair(const typename Source::Column& prediction,
                  const typename Source::Column& references, Bounds bounds,
                  std::span<std::int64_t> matches, std::span<std::int64_t> prediction_lengths,
                  std::span<std::int64_t> reference_lengths) {
    reader_.assign(prediction, references, bounds);
    matches_ = matches;
    prediction_lengths_ = prediction_lengths;
    reference_lengths_ = reference_lengths;
    count(0);
  }

  void count(std::size_t sample) {
    reader_.read(sample, false);
    const Ids prediction = reader_.prediction().tokens(0);
    const Encoded& references = reader_.references();
    prediction_lengths_[sample] = static_cast<std::int64_t>(prediction.size());
    for (std::size_t reference = 0; reference < references.size(); ++reference) {
      reference_lengths_[reader_.first(sample) + reference] =
          static_cast<std::int64_t>(references.tokens(reference).size());
    }
    const auto matches = matches_.subspan(sample * max_order_, max_order_);
    if (short_prediction_.fits(prediction.size(), reader_.distinct())) {
      count_short(short_prediction_, prediction, matches);
    } else if (wide_prediction_.fits(prediction.size(), reader_.distinct()) &&
               max_order_ <= kShortOrders) {
      count_short(wide_prediction_, prediction, matches);
    } else {
      count_long(prediction, matches);
    }
  }

 private:
  template <class Word>
  void count_short(ShortPrediction<Word>& masks, Ids prediction, std::span<std::int64_t> matches) {
    // Each reference matches the first equal n-grams of the prediction, as many as it has. So all
    // references together match as many as the reference that has the n-gram most often: this is
    // BLEU's clipping.
    masks.assign(prediction, reader_.distinct());
    const std::size_t orders = std::min(max_order_, kShortOrders);
    const Encoded& references = reader_.references();
    MatchedOf<Word> all;
    std::fill_n(all.begin(), orders, Word{});
    for (std::size_t reference = 0; reference < references.size(); ++reference) {
      MatchedOf<Word> matched;
      const Ids tokens = references.tokens(reference);
      poll_.did(tokens.size() + 1);
      masks.template match<false>(tokens, orders, matched);
      for (std::size_t n = 0; n < orders; ++n) all[n] |= matched[n];
    }
    for (std::size_t n = 0; n < orders; ++n) matches[n] = count_ones(all[n]);
    std::fill(matches.begin() + static_cast<std::ptrdiff_t>(orders), matches.end(), 0);
  }

  void count_long(Ids prediction, std::span<std::int64_t> matches) {
    const Encoded& references = reader_.references();
    ngrams_.assign(prediction, references.all_tokens(), references.bounds(), reader_.distinct());
    bool any = true;
    for (std::size_t n = 0; n < matches.size(); ++n) {
      if (n > 0 && any) any = ngrams_.advance();
      matches[n] = any ? ngrams_.count_clipped_matches() : 0;
    }
  }

  SampleReader<Source> reader_;
  std::size_t max_order_;
  std::span<std::int64_t> matches_;
  std::span<std::int64_t> prediction_lengths_;
  std::span<std::int64_t> reference_lengths_;
  Poll& poll_;
  ShortPrediction<std::uint64_t> short_prediction_;
  ShortPrediction<WideWord> wide_prediction_;
  NgramOverlap ngrams_;
};

}  // namespace bleu_rouge
