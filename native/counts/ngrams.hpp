// N-gram overlap of texts of any length, one order after the other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "base/buffer.hpp"
#include "base/poll.hpp"
#include "counts/ids.hpp"

namespace bleu_rouge {

/// Overlap of the n-grams of a prediction with the n-grams of its references. The orders are
/// counted one after the other; each takes time and memory proportional to the texts, for any
/// texts.
///
/// Each n-gram that the prediction shares with a reference has a group: its places in the
/// prediction and in the references, where a place is the position of the next token. To get the
/// groups of the next order, each group is divided by the tokens at its places. Nothing is hashed,
/// and n-grams without a match are not visited again.
// Fast path: equals a hash table of the n-grams of each order. BLEU of two documents of 600 tokens
// takes 25 µs instead of 46.
class NgramOverlap {
 public:
  explicit NgramOverlap(Poll& poll) : poll_(poll) {}

  /// Starts with order 1. `references` holds all references, one after the other; `bounds` has
  /// their starts and the end.
  void assign(Ids prediction, Ids references, std::span<const std::size_t> bounds,
              std::size_t distinct) {
    read(prediction, references, bounds, distinct);
    parts_.assign(distinct + 2, Part{0, 0});
    for_each(prediction, [this](Id id) { ++parts_[id].predicted; });
    for_each(references, [this](Id id) { ++parts_[id].referred; });
    parts_[kUnknown] = {0, 0};
    now_.open(distinct + 2, prediction.size(), references.size());
    for (Part& part : parts_.span()) now_.begin_group(part);
    std::uint32_t behind = 0;
    for_each(prediction, [&](Id id) { place(parts_[id].predicted, ++behind, now_.predicted); });
    std::size_t behind_reference = 0;
    for_each(references_.view(),
             [&](Id id) { place(parts_[id].referred, ++behind_reference, now_.referred); });
    std::ranges::fill(parts_.span(), Part{0, 0});
  }

  /// Hits of ROUGE-N with each reference: the intersection of two multisets.
  std::span<const std::int64_t> count_hits() {
    hits_.assign(reference_count_, 0);
    now_.for_each(poll_, [this](auto predicted, auto referred) {
      for_each_reference(referred, [&](std::size_t reference, std::size_t count) {
        hits_[reference] += static_cast<std::int64_t>(std::min(predicted.size(), count));
      });
    });
    return hits_.view();
  }

  /// How many distinct n-grams the prediction shares with any reference.
  std::int64_t count_shared() const { return static_cast<std::int64_t>(now_.count); }

  /// Matches of BLEU with all references: an n-gram of the prediction counts at most as often as it
  /// occurs in the reference that has it most often.
  std::int64_t count_clipped_matches() const {
    std::size_t matches = 0;
    now_.for_each(poll_, [this, &matches](auto predicted, auto referred) {
      std::size_t most = 1;
      if (predicted.size() > 1 && referred.size() > 1) {
        for_each_reference(referred, [&most](std::size_t, std::size_t count) {
          most = std::max(most, count);
        });
      }
      matches += std::min(predicted.size(), most);
    });
    return static_cast<std::int64_t>(matches);
  }

  /// Goes on to the next order. Returns whether any n-gram of this order matches.
  bool advance() {
    next_.open(now_.end.predicted, now_.end.predicted, now_.end.referred);
    now_.for_each(poll_, [this](auto predicted, auto referred) {
      if (predicted.size() == 1) {
        advance_one(predicted[0], referred);
      } else {
        advance_many(predicted, referred);
      }
    });
    std::swap(now_, next_);
    return now_.count != 0;
  }

 private:
  // The end of a group in the lists of the places of all groups.
  struct Group {
    std::size_t predicted;
    std::size_t referred;
  };

  // By token: first how often the token follows, then the index at which the next place of its
  // group is written; 0 if the token has no group.
  struct Part {
    std::size_t predicted;
    std::size_t referred;
  };

  // The groups of an order, one after the other. Index 0 of the places belongs to no group: dropped
  // places are written there, so that no branch is needed.
  struct Order {
    Buffer<Group> groups;
    Buffer<std::uint32_t> predicted;
    Buffer<std::size_t> referred;
    std::size_t count = 0;
    Group end{1, 1};

    /// Removes all groups, and makes room for the given numbers of groups and places.
    void open(std::size_t most_groups, std::size_t most_predicted, std::size_t most_referred) {
      groups.clear();
      predicted.clear();
      referred.clear();
      groups.extend(most_groups);
      predicted.extend(most_predicted + 1);
      referred.extend(most_referred + 1);
      count = 0;
      end = {1, 1};
    }

    /// Adds a group with room for its places, unless it has none in the prediction or the
    /// references.
    void begin_group(Part& part) {
      const bool is_shared = (part.predicted != 0) & (part.referred != 0);
      const std::size_t kept = std::size_t{0} - std::size_t{is_shared};  // all ones or none
      const Group size{part.predicted & kept, part.referred & kept};
      part = {end.predicted & kept, end.referred & kept};
      end = {end.predicted + size.predicted, end.referred + size.referred};
      groups[count] = end;
      count += is_shared ? 1 : 0;
    }

    template <class Use>
    void for_each(Poll& poll, Use&& use) const {
      Group start{1, 1};
      poll.in_parts(groups.view().first(count), [&](std::span<const Group> part) {
        for (const Group& stop : part) {
          use(predicted.view().subspan(start.predicted, stop.predicted - start.predicted),
              referred.view().subspan(start.referred, stop.referred - start.referred));
          start = stop;
        }
      });
    }
  };

  /// Copies the tokens, and puts after each text a token that matches nothing.
  void read(Ids prediction, Ids references, std::span<const std::size_t> bounds,
            std::size_t distinct) {
    prediction_.clear();
    std::ranges::copy(prediction, prediction_.extend(prediction.size()).begin());
    prediction_.push_back(static_cast<Id>(distinct + 1));
    references_.clear();
    owners_.clear();
    reference_count_ = bounds.size() - 1;
    for (std::size_t reference = 0; reference < reference_count_; ++reference) {
      const Ids tokens =
          references.subspan(bounds[reference], bounds[reference + 1] - bounds[reference]);
      std::ranges::copy(tokens, references_.extend(tokens.size()).begin());
      references_.push_back(kUnknown);
      if (reference_count_ > 1) {
        std::ranges::fill(owners_.extend(tokens.size() + 1), static_cast<std::uint32_t>(reference));
      }
    }
  }

  /// Calls `use` for each item; asks from time to time whether to stop.
  template <class Item, class Use>
  void for_each(std::span<const Item> items, Use&& use) {
    poll_.in_parts(items, [&use](std::span<const Item> part) {
      for (const Item item : part) use(item);
    });
  }

  template <class Place>
  static void place(std::size_t& at, Place value, Buffer<Place>& places) {
    places[at] = value;
    at += at != 0 ? 1 : 0;
  }

  /// Divides a group whose n-gram occurs once in the prediction: it becomes at most one group.
  void advance_one(std::uint32_t predicted, std::span<const std::size_t> referred) {
    const Id token = prediction_[predicted];
    const std::size_t first = next_.end.referred;
    std::size_t* out = next_.referred.span().subspan(first).data();
    std::size_t count = 0;
    for_each(referred, [&](std::size_t place) {
      out[count] = place + 1;
      count += references_[place] == token ? 1 : 0;
    });
    next_.predicted[next_.end.predicted] = predicted + 1;
    Part part{1, count};
    next_.begin_group(part);
  }

  void advance_many(std::span<const std::uint32_t> predicted,
                    std::span<const std::size_t> referred) {
    tokens_.clear();
    Id* const tokens = tokens_.extend(predicted.size()).data();
    std::size_t count = 0;
    for_each(predicted, [&](std::uint32_t place) {
      tokens[count] = prediction_[place];
      count += parts_[prediction_[place]].predicted++ == 0 ? 1 : 0;
    });
    tokens_.shrink(count);
    for_each(referred, [this](std::size_t place) {
      Part& part = parts_[references_[place]];
      part.referred += part.predicted != 0 ? 1 : 0;
    });
    for (const Id token : tokens_.view()) next_.begin_group(parts_[token]);
    for_each(predicted, [this](std::uint32_t at) {
      place(parts_[prediction_[at]].predicted, at + 1, next_.predicted);
    });
    for_each(referred, [this](std::size_t at) {
      place(parts_[references_[at]].referred, at + 1, next_.referred);
    });
    for (const Id token : tokens_.view()) parts_[token] = {0, 0};
  }

  /// Calls `use` with each reference that has some of the places, and with their number.
  template <class Use>
  void for_each_reference(std::span<const std::size_t> places, Use&& use) const {
    if (reference_count_ == 1) return use(0, places.size());
    for (std::size_t first = 0; first < places.size();) {
      // The place after an n-gram belongs to the same text, because each text ends with an added
      // token.
      const std::uint32_t owner = owners_[places[first]];
      std::size_t next = first + 1;
      while (next < places.size() && owners_[places[next]] == owner) ++next;
      use(owner, next - first);
      first = next;
    }
  }

  Poll& poll_;
  Buffer<Id> prediction_;
  Buffer<Id> references_;
  Buffer<std::uint32_t> owners_;  // by place: its reference; only if there are several references
  std::size_t reference_count_ = 0;
  Order now_;
  Order next_;
  Buffer<Part> parts_;  // by token; all 0 between two groups
  Buffer<Id> tokens_;
  Buffer<std::int64_t> hits_;
};

}  // namespace bleu_rouge
