// Ids of tokens: 1, 2, 3 and so on within one sample.
#pragma once

#include <cstdint>
#include <span>

namespace bleu_rouge {

using Id = std::uint32_t;
using Ids = std::span<const Id>;

// The id of a word that the prediction does not have. It matches nothing.
inline constexpr Id kUnknown = 0;

}  // namespace bleu_rouge
