// What the tables know of a character: its kind for the folding, and for lower case and xlsum.
#pragma once

#include <cstdint>

namespace bleu_rouge {

/// How a character is folded, and whether it can interact with its neighbours.
///
/// A segment of a text starts with a character that can neither be reordered nor composed with what
/// precedes it. The folding of a text is the folding of its segments, one after the other.
enum class FoldRole : std::uint8_t {
  kPlain = 0,    // folds to itself; starts a segment if its class is 0 and it is no second
  kShifted = 1,  // starts a segment, and folds to one character at some distance
  kSpelled = 2,  // starts a segment, and folds to its decomposition
  kComplex = 3,  // starts a segment, which needs the slow path
  kJoined = 4    // belongs to the segment before it, which needs the slow path
};

// Flags of a kind. It can be composed with a character after it, or with one before it; it has a
// decomposition; its folding is spelled out, after its decomposition if it has one.
inline constexpr std::uint8_t kIsFirst = 1;
inline constexpr std::uint8_t kIsSecond = 2;
inline constexpr std::uint8_t kDecomposes = 4;
inline constexpr std::uint8_t kExpands = 8;

struct FoldKind {
  std::int32_t distance;  // from a character to its folding
  std::uint8_t role;      // a FoldRole
  std::uint8_t flags;
  std::uint8_t combining;  // the combining class; of a spelled character, that of its last one
};

/// What a character in lower case is for multilingual-rouge.
enum class WordClass : std::uint8_t {
  kDropped = 0,
  kSpace = 1,  // white space or punctuation
  kLetter = 2,
  kIdeograph = 3,
  kNumber = 4,
  kMark = 5,
  kSymbol = 6
};

/// What a character is for the rule of the final sigma.
enum class CaseRole : std::uint8_t { kOther = 0, kCased = 1, kIgnorable = 2 };

struct WordKind {
  std::int32_t distance;    // from a character to its lower case
  std::uint8_t word_class;  // a WordClass
  std::uint8_t case_role;   // a CaseRole
};

/// The kind of a range of characters.
struct KindRange {
  std::uint32_t first;
  std::uint32_t last;
  std::uint16_t kind;
};

}  // namespace bleu_rouge
