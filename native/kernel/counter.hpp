// Count what a plan asks for, sample by sample.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/bits.hpp"
#include "base/buffer.hpp"
#include "base/poll.hpp"
#include "counts/lcs.hpp"
#include "counts/ngrams.hpp"
#include "counts/short_overlap.hpp"
#include "counts/skip_bigrams.hpp"
#include "counts/union_lcs.hpp"
#include "counts/weighted_lcs.hpp"
#include "kernel/samples.hpp"

namespace bleu_rouge {

/// What to count. There is a column of integers for each order, for the LCS, for the union LCS, for
/// each distance of skip-bigrams, for the unigrams of ROUGE-SU, and for the LCS of all pairs of
/// sentences. A column has three numbers per pair of texts; the weighted LCS has three floats per
/// pair and weight.
struct CountPlan {
  std::vector<std::size_t> orders;  // ascending
  bool lcs = false;
  bool summary = false;
  std::vector<std::size_t> skip_distances = {};  // at least 1
  bool unigrams_but_last = false;
  std::vector<std::vector<double>> values = {};  // f(0), f(1) and so on, of each weight
  bool lin2004 = false;
  bool once = false;   // each n-gram counts once, and each token of the pairs of sentences
  bool pairs = false;  // the LCS of all pairs of sentences
  // Whether all references of a sample match together, as for BLEU: an n-gram of the prediction
  // counts at most as often as it occurs in the reference that has it most often. The hits are those
  // of the first reference, and the others have none.
  bool clipped = false;

  std::size_t size() const {
    return orders.size() + (lcs ? 1 : 0) + (summary ? 1 : 0) + skip_distances.size() +
           (unigrams_but_last ? 1 : 0) + (pairs ? 1 : 0);
  }

  std::size_t longest() const { return orders.empty() ? 0 : orders.back(); }

  bool needs_sentences() const { return summary || pairs || (!values.empty() && !lin2004); }
};

/// Hits, total of the prediction and total of the reference, for each pair and column.
template <class Source>
class Counter {
 public:
  /// Args:
  ///   counts: output, three numbers per pair and column.
  ///   weighted: output, three numbers per pair and weight.
  ///   poll: the same poll as the source's.
  Counter(Source source, Bounds bounds, const CountPlan& plan,
               std::span<std::int64_t> counts, std::span<double> weighted, Poll& poll)
      : reader_(std::move(source), bounds),
        plan_(plan),
        counts_(counts),
        weighted_(weighted),
        poll_(poll),
        short_prediction_(poll),
        wide_prediction_(poll),
        ngrams_(poll),
        long_lcs_(poll),
        union_(poll),
        skips_(poll),
        weighted_union_(poll),
        sentence_pairs_(poll) {}

  /// Counts one sample of other texts; the outputs are as for the constructor.
  void count_pair(const typename Source::Column& prediction,
                  const typename Source::Column& references, Bounds bounds,
                  std::span<std::int64_t> counts, std::span<double> weighted) {
    reader_.assign(prediction, references, bounds);
    counts_ = counts;
    weighted_ = weighted;
    count(0);
  }

  void count(std::size_t sample) {
    reader_.read(sample, plan_.needs_sentences(),
                 plan_.once ? NewWords::kInsert : NewWords::kUnknown);
    first_pair_ = reader_.first(sample);
    const Ids prediction = reader_.prediction().tokens(0);
    has_union_ = false;
    if (plan_.once) {
      count_once(prediction);
    } else if (short_prediction_.fits(prediction.size(), reader_.distinct())) {
      count_short(short_prediction_, prediction);
    } else if (wide_prediction_.fits(prediction.size(), reader_.distinct()) &&
               plan_.longest() <= kShortOrders) {
      count_short(wide_prediction_, prediction);
    } else {
      count_long(prediction);
    }
    if (!plan_.skip_distances.empty() || plan_.unigrams_but_last) count_skips(prediction);
    if (!plan_.values.empty()) count_weighted(prediction);
    if (plan_.pairs) count_sentence_pairs();
  }

 private:
  void write(std::size_t reference, std::size_t column, std::int64_t hits,
             std::int64_t prediction_total, std::int64_t reference_total) {
    const std::size_t at = ((first_pair_ + reference) * plan_.size() + column) * 3;
    counts_[at] = hits;
    counts_[at + 1] = prediction_total;
    counts_[at + 2] = reference_total;
  }

  /// Writes the columns of the n-grams; `hits_of(reference, order)` is called in ascending order.
  template <class HitsOf>
  void write_ngrams(std::size_t reference, HitsOf&& hits_of) {
    const std::size_t prediction_tokens = reader_.prediction().tokens(0).size();
    const std::size_t reference_tokens = reader_.references().tokens(reference).size();
    std::size_t column = 0;
    for (const std::size_t order : plan_.orders) {
      write(reference, column++, hits_of(order), count_ngrams(prediction_tokens, order),
            count_ngrams(reference_tokens, order));
    }
  }

  template <class Word>
  void count_short(ShortPrediction<Word>& masks, Ids prediction) {
    masks.assign(prediction, reader_.distinct());
    const std::size_t orders = std::min(plan_.longest(), kShortOrders);
    const std::size_t references = reader_.references().size();
    MatchedOf<Word> matched;
    const auto hits_of = [orders](const MatchedOf<Word>& found, std::size_t order) -> std::int64_t {
      return order <= orders ? count_ones(found[order - 1]) : 0;
    };
    if (plan_.clipped) {
      // Each reference matches the first equal n-grams of the prediction, as many as it has. So all
      // references together match as many as the reference that has the n-gram most often.
      MatchedOf<Word> all;
      std::fill_n(all.begin(), orders, Word{});
      for (std::size_t reference = 0; reference < references; ++reference) {
        const Ids tokens = reader_.references().tokens(reference);
        poll_.did(tokens.size() + 1);
        masks.template match<false>(tokens, orders, matched);
        for (std::size_t n = 0; n < orders; ++n) all[n] |= matched[n];
      }
      return write_clipped([&](std::size_t order) { return hits_of(all, order); });
    }
    for (std::size_t reference = 0; reference < references; ++reference) {
      const Ids tokens = reader_.references().tokens(reference);
      poll_.did(tokens.size() + 1);
      const auto lcs = plan_.lcs || plan_.summary
                           ? masks.template match<true>(tokens, orders, matched)
                           : masks.template match<false>(tokens, orders, matched);
      write_ngrams(reference, [&](std::size_t order) { return hits_of(matched, order); });
      write_lcs(reference, static_cast<std::int64_t>(lcs));
    }
  }

  template <class HitsOf>
  void write_clipped(HitsOf&& hits_of) {
    for (std::size_t reference = 0; reference < reader_.references().size(); ++reference) {
      write_ngrams(reference,
                   [&](std::size_t order) { return reference == 0 ? hits_of(order) : 0; });
    }
  }

  void count_long(Ids prediction) {
    const Encoded& references = reader_.references();
    if (!plan_.orders.empty()) {
      ngrams_.assign(prediction, references.all_tokens(), references.bounds(), reader_.distinct());
    }
    bool any = true;
    std::size_t order = 1;
    const auto advance = [&](std::size_t wanted) {
      for (; any && order < wanted; ++order) any = ngrams_.advance();
    };
    if (plan_.clipped) {
      return write_clipped([&](std::size_t wanted) {
        advance(wanted);
        return any ? ngrams_.count_clipped_matches() : 0;
      });
    }
    for (std::size_t column = 0; column < plan_.orders.size(); ++column) {
      const std::size_t wanted = plan_.orders[column];
      advance(wanted);
      const std::span<const std::int64_t> hits = ngrams_.count_hits();
      for (std::size_t reference = 0; reference < references.size(); ++reference) {
        write(reference, column, hits[reference], count_ngrams(prediction.size(), wanted),
              count_ngrams(references.tokens(reference).size(), wanted));
      }
    }
    count_lcs(prediction);
  }

  /// Counts each n-gram of a text once.
  void count_once(Ids prediction) {
    const Encoded& references = reader_.references();
    list_shared(prediction, prediction, prediction_totals_);
    for (std::size_t reference = 0; reference < references.size(); ++reference) {
      const Ids tokens = references.tokens(reference);
      list_shared(prediction, tokens, shared_);
      list_shared(tokens, tokens, reference_totals_);
      for (std::size_t column = 0; column < plan_.orders.size(); ++column) {
        write(reference, column, shared_[column], prediction_totals_[column],
              reference_totals_[column]);
      }
    }
    count_lcs(prediction);
  }

  /// Lists how many distinct n-grams two texts share, by order.
  void list_shared(Ids first, Ids second, Buffer<std::int64_t>& counts) {
    const std::array<std::size_t, 2> bounds{0, second.size()};
    ngrams_.assign(first, second, bounds, reader_.distinct());
    counts.clear();
    std::size_t order = 1;
    for (const std::size_t wanted : plan_.orders) {
      for (; order < wanted; ++order) ngrams_.advance();
      counts.push_back(ngrams_.count_shared());
    }
  }

  void count_lcs(Ids prediction) {
    if (!plan_.lcs && !plan_.summary) return;
    const Encoded& references = reader_.references();
    // Of several references, each would need positions of its own: four references of DUC 2004 take
    // 10% longer with them.
    const bool is_only = references.size() == 1;
    long_lcs_.assign(is_only ? shared_tokens_.keep(prediction, references.tokens(0),
                                                   reader_.distinct())
                             : prediction,
                     reader_.distinct());
    for (std::size_t reference = 0; reference < references.size(); ++reference) {
      const bool wants_length = plan_.lcs || is_one_pair(reference);
      write_lcs(reference, wants_length ? long_lcs_.length(references.tokens(reference)) : 0);
    }
  }

  /// Whether the prediction and the reference are one sentence each.
  bool is_one_pair(std::size_t reference) const {
    return reader_.prediction().shares_sentence(0) &&
           reader_.references().shares_sentence(reference);
  }

  /// Writes the columns of the LCS and the union LCS; `lcs` is the LCS of the whole texts.
  void write_lcs(std::size_t reference, std::int64_t lcs) {
    const std::size_t prediction_tokens = reader_.prediction().tokens(0).size();
    const std::size_t reference_tokens = reader_.references().tokens(reference).size();
    std::size_t column = plan_.orders.size();
    if (plan_.lcs) {
      write(reference, column++, lcs, static_cast<std::int64_t>(prediction_tokens),
            static_cast<std::int64_t>(reference_tokens));
    }
    if (!plan_.summary) return;
    const Sentences prediction_sentences = reader_.prediction().sentences(0);
    const Sentences reference_sentences = reader_.references().sentences(reference);
    // Fast path: the union LCS of two sentences is their LCS, and clipping does not change it.
    if (!is_one_pair(reference)) {
      if (!has_union_) union_.assign(prediction_sentences, reader_.distinct());
      has_union_ = true;
      lcs = union_.count_hits(reference_sentences, !plan_.lin2004);
    }
    write(reference, column, lcs, static_cast<std::int64_t>(prediction_sentences.tokens.size()),
          static_cast<std::int64_t>(reference_sentences.tokens.size()));
  }

  /// Counts the columns of the skip-bigrams, and of the unigrams of ROUGE-SU.
  void count_skips(Ids prediction) {
    skips_.assign(prediction, reader_.distinct());
    const std::size_t first = plan_.orders.size() + (plan_.lcs ? 1 : 0) +
                              (plan_.summary ? 1 : 0);
    for (std::size_t reference = 0; reference < reader_.references().size(); ++reference) {
      const Ids tokens = reader_.references().tokens(reference);
      std::size_t column = first;
      for (const std::size_t distance : plan_.skip_distances) {
        write(reference, column++, skips_.count_hits(tokens, distance),
              count_skip_bigrams(prediction.size(), distance),
              count_skip_bigrams(tokens.size(), distance));
      }
      if (plan_.unigrams_but_last) {
        write(reference, column, skips_.count_unigrams_but_last(tokens), count_ngrams(prediction.size(), 2),
              count_ngrams(tokens.size(), 2));
      }
    }
  }

  void count_weighted(Ids prediction) {
    const Encoded& references = reader_.references();
    const Sentences sentences =
        plan_.lin2004 ? Sentences{prediction, {}} : reader_.prediction().sentences(0);
    weighted_union_.assign(sentences, reader_.distinct());
    double* out = weighted_.data() + first_pair_ * plan_.values.size() * 3;
    for (std::size_t reference = 0; reference < references.size(); ++reference) {
      const Ids tokens = references.tokens(reference);
      for (const RunValues values : plan_.values) {
        const auto total = static_cast<double>(sentences.tokens.size());
        if (plan_.lin2004) {
          if (std::max(prediction.size(), tokens.size()) >= values.size()) {
            out = write_weighted(out, -1, 0, 0);
          } else {
            out = write_weighted(out, weighted_union_.length(prediction, tokens, values), total,
                                 static_cast<double>(tokens.size()));
          }
        } else {
          const Sentences reference_sentences = references.sentences(reference);
          if (std::max(sentences.longest(), reference_sentences.longest()) >= values.size()) {
            out = write_weighted(out, -1, 0, 0);
          } else {
            const Weighted found = weighted_union_.count(reference_sentences, values);
            out = write_weighted(out, found.hits, total, found.base);
          }
        }
      }
    }
  }

  void count_sentence_pairs() {
    const Sentences prediction = reader_.prediction().sentences(0);
    if (!plan_.once) sentence_pairs_.assign(prediction, reader_.distinct());
    for (std::size_t reference = 0; reference < reader_.references().size(); ++reference) {
      const Sentences sentences = reader_.references().sentences(reference);
      const std::size_t column = plan_.size() - 1;
      if (plan_.once) {
        // The roles are changed: of several LCS the tokens of the prediction decide.
        union_.assign(sentences, reader_.distinct());
        has_union_ = false;
        write(reference, column, union_.count_distinct_hits(prediction),
              count_distinct(prediction.tokens), count_distinct(sentences.tokens));
      } else {
        write(reference, column, sentence_pairs_.sum_lengths(sentences),
              static_cast<std::int64_t>(prediction.tokens.size()),
              static_cast<std::int64_t>(sentences.tokens.size()));
      }
    }
  }

  std::int64_t count_distinct(Ids tokens) {
    seen_.assign(reader_.distinct() + 1, 0);
    std::int64_t count = 0;
    for (const Id id : tokens) {
      count += seen_[id] == 0 ? 1 : 0;
      seen_[id] = 1;
    }
    return count;
  }

  static double* write_weighted(double* out, double hits, double prediction, double reference) {
    out[0] = hits;
    out[1] = prediction;
    out[2] = reference;
    return out + 3;
  }

  SampleReader<Source> reader_;
  const CountPlan& plan_;
  std::span<std::int64_t> counts_;
  std::span<double> weighted_;
  std::size_t first_pair_ = 0;
  bool has_union_ = false;
  Poll& poll_;
  ShortPrediction<std::uint64_t> short_prediction_;
  ShortPrediction<WideWord> wide_prediction_;
  NgramOverlap ngrams_;
  SharedTokens shared_tokens_;
  LongLcs long_lcs_;
  UnionLcs union_;
  SkipOverlap skips_;
  WeightedUnion weighted_union_;
  SentencePairs sentence_pairs_;
  Buffer<std::int64_t> shared_;
  Buffer<std::int64_t> prediction_totals_;
  Buffer<std::int64_t> reference_totals_;
  Buffer<std::uint8_t> seen_;  // by id
};

}  // namespace bleu_rouge
