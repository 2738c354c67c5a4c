// The sources of tokens, texts that the kernel tokenizes and token ids that Python made, and their
// samples, which are read one after the other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "base/poll.hpp"
#include "counts/sentences.hpp"
#include "text/encoder.hpp"
#include "text/text.hpp"

namespace bleu_rouge {

/// The predictions, or the references, of all samples.
using Texts = std::span<const Text>;

/// Token ids of the predictions, or of the references, of all samples.
struct IdTexts {
  std::span<const std::int64_t> tokens;
  std::span<const std::int64_t> bounds;  // text i has tokens[bounds[i]] to tokens[bounds[i + 1]]

  // The same for the tokens of the sentences of each text, and the ends of the sentences, counted
  // from the first token of the text. All are empty if no sentences are needed.
  std::span<const std::int64_t> sentence_tokens;
  std::span<const std::int64_t> sentence_bounds;
  std::span<const std::int64_t> ends;
  std::span<const std::int64_t> ends_bounds;

  static std::span<const std::int64_t> slice(std::span<const std::int64_t> items,
                                             std::span<const std::int64_t> bounds,
                                             std::size_t index) {
    const auto first = static_cast<std::size_t>(bounds[index]);
    return items.subspan(first, static_cast<std::size_t>(bounds[index + 1]) - first);
  }
};

/// Renumbers ids as those of one sample: 1, 2, 3 and so on.
class Renumbering {
 public:
  /// `distinct`: the largest id to renumber.
  explicit Renumbering(std::size_t distinct) : distinct_(distinct) {}

  /// Starts a new sample.
  void clear() {
    // Memory is taken when it is first needed.
    if (renumbered_.empty()) renumbered_.assign(distinct_ + 1, kUnknown);
    for (const Id id : used_.view()) renumbered_[id] = kUnknown;
    used_.clear();
  }

  /// The largest id of the sample.
  std::size_t size() const { return used_.size(); }

  Id find(Id id) const { return renumbered_[id]; }

  Id insert(Id id) {
    Id& renumbered = renumbered_[id];
    if (renumbered == kUnknown) {
      used_.push_back(id);
      renumbered = static_cast<Id>(used_.size());
    }
    return renumbered;
  }

 private:
  std::size_t distinct_;
  std::vector<Id> renumbered_;  // by id
  Buffer<Id> used_;
};

/// The encoded prediction, or the encoded references, of one sample: tokens and, if needed,
/// sentences.
class Encoded {
 public:
  void clear() {
    tokens_.clear();
    bounds_.clear();
    bounds_.push_back(0);
    sentence_tokens_.clear();
    ends_.clear();
    places_.clear();
  }

  /// Keeps the first texts, and nothing of a text whose encoding raised.
  void truncate(std::size_t count) {
    if (count == 0) return clear();
    tokens_.shrink(bounds_[count]);
    bounds_.shrink(count + 1);
    if (places_.empty()) return;
    places_.shrink(count);
    const Place& last = places_.back();
    ends_.shrink(last.ends_first + last.ends_count);
    const bool has_tokens = !last.shares_tokens && last.ends_count > 0;
    sentence_tokens_.shrink(last.tokens_first + (has_tokens ? ends_.back() : 0));
  }

  std::size_t size() const { return bounds_.size() - 1; }
  Ids all_tokens() const { return tokens_.view(); }
  std::span<const std::size_t> bounds() const { return bounds_.view(); }

  Ids tokens(std::size_t text) const {
    return tokens_.view().subspan(bounds_[text], bounds_[text + 1] - bounds_[text]);
  }

  Sentences sentences(std::size_t text) const {
    const Place& place = places_[text];
    const auto ends = ends_.view().subspan(place.ends_first, place.ends_count);
    if (place.shares_tokens) return {tokens(text), ends};
    return {sentence_tokens_.view().subspan(place.tokens_first, ends.empty() ? 0 : ends.back()),
            ends};
  }

  /// Whether one sentence of a text has exactly the tokens of the text.
  bool shares_sentence(std::size_t text) const {
    return places_[text].shares_tokens && sentences(text).is_one();
  }

  void add(Encoder& encoder, std::string_view whole, bool wants_sentences, NewWords new_words) {
    std::string_view text = encoder.prepare(whole);
    const std::size_t first = tokens_.size();
    const std::size_t ends_first = ends_.size();
    const bool may_share = wants_sentences && encoder.may_keep_lines(text);
    encoder.encode(text, new_words, tokens_, may_share ? &ends_ : nullptr);
    bounds_.push_back(tokens_.size());
    if (!wants_sentences) return;
    const bool shares_tokens = may_share && encoder.keeps_lines();
    if (!shares_tokens) ends_.shrink(ends_first);
    const std::size_t tokens_first = sentence_tokens_.size();
    if (shares_tokens) {
      ends_.push_back(static_cast<std::uint32_t>(tokens_.size() - first));
    } else {
      while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        encoder.encode_line(line, new_words, sentence_tokens_);
        ends_.push_back(static_cast<std::uint32_t>(sentence_tokens_.size() - tokens_first));
        text.remove_prefix(line.size() < text.size() ? line.size() + 1 : line.size());
      }
    }
    places_.push_back({tokens_first, ends_first, ends_.size() - ends_first, shares_tokens});
  }

  void add(Vocabulary& vocabulary, const IdTexts& texts, std::size_t index, bool wants_sentences,
           NewWords new_words, Poll& poll) {
    const auto intern = [&](std::span<const std::int64_t> items, Buffer<Id>& ids) {
      Id* out = ids.extend(items.size()).data();
      poll.in_parts(items, [&](std::span<const std::int64_t> part) {
        const auto word_at = [part](std::size_t index) -> Word {
          return {static_cast<std::uint64_t>(part[index]), 0, sizeof(std::int64_t), nullptr};
        };
        if (new_words == NewWords::kInsert) {
          vocabulary.look_up<NewWords::kInsert>(part.size(), word_at, out);
        } else {
          vocabulary.look_up<NewWords::kUnknown>(part.size(), word_at, out);
        }
        out += part.size();
      });
    };
    intern(IdTexts::slice(texts.tokens, texts.bounds, index), tokens_);
    bounds_.push_back(tokens_.size());
    if (!wants_sentences) return;
    const std::size_t tokens_first = sentence_tokens_.size();
    const std::size_t ends_first = ends_.size();
    intern(IdTexts::slice(texts.sentence_tokens, texts.sentence_bounds, index), sentence_tokens_);
    for (const std::int64_t end : IdTexts::slice(texts.ends, texts.ends_bounds, index)) {
      ends_.push_back(static_cast<std::uint32_t>(end));
    }
    places_.push_back({tokens_first, ends_first, ends_.size() - ends_first, false});
  }

  /// Appends a text that is encoded already, with the ids of a sample.
  void add(Renumbering& ids, const Encoded& texts, std::size_t text, bool wants_sentences,
           NewWords new_words, Poll& poll) {
    const auto renumber = [&](Ids items, Buffer<Id>& renumbered) {
      Id* out = renumbered.extend(items.size()).data();
      poll.in_parts(items, [&](Ids part) {
        for (const Id id : part) {
          *out++ = new_words == NewWords::kInsert ? ids.insert(id) : ids.find(id);
        }
      });
    };
    renumber(texts.tokens(text), tokens_);
    bounds_.push_back(tokens_.size());
    if (!wants_sentences) return;
    const Sentences sentences = texts.sentences(text);
    const bool shares_tokens = texts.places_[text].shares_tokens;
    const std::size_t tokens_first = sentence_tokens_.size();
    const std::size_t ends_first = ends_.size();
    if (!shares_tokens) renumber(sentences.tokens, sentence_tokens_);
    std::ranges::copy(sentences.ends, ends_.extend(sentences.ends.size()).begin());
    places_.push_back({tokens_first, ends_first, sentences.ends.size(), shares_tokens});
  }

 private:
  struct Place {
    std::size_t tokens_first;  // of the sentences, if they do not share the tokens of the text
    std::size_t ends_first;
    std::size_t ends_count;
    bool shares_tokens;
  };

  Buffer<Id> tokens_;
  Buffer<std::size_t> bounds_;
  Buffer<Id> sentence_tokens_;
  Buffer<std::uint32_t> ends_;
  Buffer<Place> places_;
};

/// Reads the texts of a sample.
class TextSource {
 public:
  using Column = Texts;

  TextSource(Texts predictions, Texts references, const Tokenization& tokenization, Poll& poll)
      : predictions_(predictions),
        references_(references),
        encoder_(tokenization, poll),
        poll_(poll) {}

  /// Reads other texts from now on.
  void assign(Texts predictions, Texts references) {
    predictions_ = predictions;
    references_ = references;
  }

  /// The largest id of the sample.
  std::size_t distinct() { return encoder_.vocabulary().size(); }

  /// Starts a new sample with its prediction.
  void add_prediction(std::size_t index, bool wants_sentences, Encoded& encoded) {
    const std::string_view text = read_utf8(predictions_[index], utf8_, poll_);
    encoder_.vocabulary().clear(text.size());
    encoded.add(encoder_, text, wants_sentences, NewWords::kInsert);
  }

  void add_reference(std::size_t index, bool wants_sentences, NewWords new_words,
                     Encoded& encoded) {
    const std::string_view text = read_utf8(references_[index], utf8_, poll_);
    encoded.add(encoder_, text, wants_sentences, new_words);
  }

 private:
  Texts predictions_;
  Texts references_;
  Encoder encoder_;
  Poll& poll_;
  Buffer<char> utf8_;  // of the text that is being read
};

/// Reads the token ids of a sample.
class IdSource {
 public:
  using Column = IdTexts;

  IdSource(const IdTexts& predictions, const IdTexts& references, Poll& poll)
      : predictions_(predictions), references_(references), poll_(poll) {}

  std::size_t distinct() { return vocabulary_.size(); }

  /// Starts a new sample with its prediction.
  void add_prediction(std::size_t index, bool wants_sentences, Encoded& encoded) {
    vocabulary_.clear(IdTexts::slice(predictions_.tokens, predictions_.bounds, index).size() * 4);
    encoded.add(vocabulary_, predictions_, index, wants_sentences, NewWords::kInsert, poll_);
  }

  void add_reference(std::size_t index, bool wants_sentences, NewWords new_words,
                     Encoded& encoded) {
    encoded.add(vocabulary_, references_, index, wants_sentences, new_words, poll_);
  }

 private:
  IdTexts predictions_;
  IdTexts references_;
  Poll& poll_;
  Vocabulary vocabulary_;
};

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
