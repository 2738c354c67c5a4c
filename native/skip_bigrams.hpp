// Skip-bigrams: pairs of tokens in their order, for ROUGE-S and ROUGE-SU.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "buffer.hpp"
#include "encoder.hpp"

namespace bleu_rouge {

/// How many pairs of so many tokens stand at most `reach` apart.
inline std::int64_t count_skip_bigrams(std::size_t tokens, std::size_t reach) {
  const std::size_t most = tokens == 0 ? 0 : std::min(reach, tokens - 1);
  return static_cast<std::int64_t>(most * tokens - most * (most + 1) / 2);
}

/// Skip-bigrams that a prediction shares with each of its references. The pairs of a text are never
/// listed: for one first token, or a few of them, after the other it is counted what follows, in
/// memory proportional to the text.
class SkipOverlap {
 public:
  /// `distinct`: the largest id of all.
  void assign(Ids prediction, std::size_t distinct) {
    prediction_ = prediction;
    distinct_ = distinct;
    counts_.assign(distinct + 1, 0);
    sort(prediction, prediction_starts_, prediction_positions_);
  }

  /// The size of the intersection of two multisets of skip-bigrams.
  std::int64_t count_hits(Ids reference, std::size_t reach) {
    return reach + 1 >= std::max(prediction_.size(), reference.size())
               ? count_any(reference)
               : count_within(reference, reach);
  }

  /// Unigrams shared by the texts without their last tokens.
  std::int64_t count_heads(Ids reference) {
    if (prediction_.empty() || reference.empty()) return 0;
    const Ids heads = prediction_.first(prediction_.size() - 1);
    for (const Id id : heads) ++counts_[id];
    std::int64_t hits = 0;
    for (const Id id : reference.first(reference.size() - 1)) hits += take(id);
    for (const Id id : heads) counts_[id] = 0;
    return hits;
  }

 private:
  // First tokens counted at once, each in a lane of its own.
  static constexpr std::size_t kLanes = 32;

  // All pairs of up to so many tokens can be counted in 31 bits.
  static constexpr std::size_t kMostNarrow = 1 << 16;

  /// Positions by id; those of id i from starts[i] to starts[i + 1]. None of kUnknown.
  void sort(Ids tokens, Buffer<std::uint32_t>& starts, Buffer<std::uint32_t>& positions) const {
    starts.assign(distinct_ + 2, 0);
    for (const Id id : tokens) ++starts[id + 1];
    starts[kUnknown + 1] = 0;
    for (std::size_t id = 0; id <= distinct_; ++id) starts[id + 1] += starts[id];
    positions.clear();
    positions.extend(starts[distinct_ + 1]);
    for (std::size_t position = tokens.size(); position-- > 0;) {
      const Id id = tokens[position];
      if (id != kUnknown) positions[--starts[id + 1]] = static_cast<std::uint32_t>(position);
    }
    // Each start went down to where the one before it was.
    for (std::size_t id = 0; id <= distinct_; ++id) starts[id] = starts[id + 1];
    starts[distinct_ + 1] = static_cast<std::uint32_t>(positions.size());
  }

  static std::span<const std::uint32_t> positions_of(std::size_t id,
                                                     const Buffer<std::uint32_t>& starts,
                                                     const Buffer<std::uint32_t>& positions) {
    return positions.view().subspan(starts[id], starts[id + 1] - starts[id]);
  }

  std::int64_t take(Id id) {
    const std::uint32_t taken = counts_[id] != 0 ? 1 : 0;
    counts_[id] -= taken;
    return taken;
  }

  static Ids window(Ids tokens, std::size_t position, std::size_t reach) {
    return tokens.subspan(position + 1, std::min(reach, tokens.size() - position - 1));
  }

  std::int64_t count_within(Ids reference, std::size_t reach) {
    sort(reference, reference_starts_, reference_positions_);
    std::int64_t hits = 0;
    for (std::size_t id = 1; id <= distinct_; ++id) {
      const auto referred = positions_of(id, reference_starts_, reference_positions_);
      const auto predicted = positions_of(id, prediction_starts_, prediction_positions_);
      if (referred.empty() || predicted.empty()) continue;
      for (const std::size_t position : predicted) {
        for (const Id follower : window(prediction_, position, reach)) ++counts_[follower];
      }
      for (const std::size_t position : referred) {
        for (const Id follower : window(reference, position, reach)) hits += take(follower);
      }
      for (const std::size_t position : predicted) {
        for (const Id follower : window(prediction_, position, reach)) counts_[follower] = 0;
      }
    }
    return hits;
  }

  std::int64_t count_any(Ids reference) {
    // What stands between does not matter, so that tokens of one text alone can go. The others are
    // numbered from 0 on.
    for (const Id id : reference) counts_[id] = 1;
    counts_[kUnknown] = 0;
    std::uint32_t kinds = 0;
    common_prediction_.clear();
    numbers_.assign(distinct_ + 1, 0);
    for (const Id id : prediction_) {
      if (counts_[id] == 0) continue;
      if (numbers_[id] == 0) numbers_[id] = ++kinds;
      common_prediction_.push_back(numbers_[id] - 1);
    }
    common_reference_.clear();
    for (const Id id : reference) {
      if (numbers_[id] != 0) common_reference_.push_back(numbers_[id] - 1);
      counts_[id] = 0;
    }
    const bool is_narrow =
        std::max(common_prediction_.size(), common_reference_.size()) <= kMostNarrow;
    return is_narrow ? count_lanes(kinds, narrow_) : count_lanes(kinds, wide_);
  }

  // Fast path: equals a count of the followers of each first token by itself. Two texts of 600 tokens
  // take 16 µs in place of 58. With 16 lanes 40: g++ 12 unrolls the loop before it can be vectorised.
  template <class Count>
  std::int64_t count_lanes(std::size_t kinds, std::array<Buffer<Count>, 2>& followers) const {
    Count hits = 0;
    for (std::size_t first = 0; first < kinds; first += kLanes) {
      count_followers(common_prediction_.view(), kinds, first, followers[0]);
      count_followers(common_reference_.view(), kinds, first, followers[1]);
      const Count* const predicted = followers[0].data();
      const Count* const referred = followers[1].data();
      for (std::size_t i = 0; i < kinds * kLanes; ++i) hits += std::min(predicted[i], referred[i]);
    }
    return hits;
  }

  /// How often each token follows each of the first tokens from `first` on.
  template <class Count>
  static void count_followers(std::span<const std::uint32_t> tokens, std::size_t kinds,
                              std::size_t first, Buffer<Count>& followers) {
    followers.assign(kinds * kLanes, 0);
    std::array<Count, kLanes> seen{};
    for (const std::uint32_t token : tokens) {
      Count* const counts = followers.data() + token * kLanes;
      for (std::size_t lane = 0; lane < kLanes; ++lane) counts[lane] += seen[lane];
      if (token - first < kLanes) ++seen[token - first];
    }
  }

  Ids prediction_;
  std::size_t distinct_ = 0;
  Buffer<std::uint32_t> prediction_starts_;
  Buffer<std::uint32_t> prediction_positions_;
  Buffer<std::uint32_t> reference_starts_;
  Buffer<std::uint32_t> reference_positions_;
  Buffer<std::uint32_t> counts_;  // by id; all 0 between two calls
  Buffer<std::uint32_t> numbers_;
  Buffer<std::uint32_t> common_prediction_;
  Buffer<std::uint32_t> common_reference_;
  std::array<Buffer<std::int32_t>, 2> narrow_;
  std::array<Buffer<std::int64_t>, 2> wide_;
};

}  // namespace bleu_rouge
