// The lower case of characters and of texts (str.lower of Python); and the words of
// multilingual-rouge in a text, which equal those of normalize_xlsum and tokenize_xlsum of
// text/xlsum.py.
//
// These words are written one after the other, so that WrittenRule finds them: each newline of the
// text stays a newline, and other words are separated by a space.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/bits.hpp"
#include "base/buffer.hpp"
#include "base/poll.hpp"
#include "text/scan.hpp"
#include "text/text.hpp"
#include "text/unicode/characters.hpp"
#include "text/unicode/kinds.hpp"

namespace bleu_rouge {

/// Puts each ASCII letter among 8 bytes into lower case.
inline std::uint64_t lower_ascii(std::uint64_t bytes) {
  constexpr std::uint64_t kOnes = 0x0101010101010101U;
  const std::uint64_t low_bits = bytes & (0x7F * kOnes);
  // The highest bit of each byte: whether its other bits are at least "A", or after "Z".
  const std::uint64_t from_a = low_bits + (0x80 - 'A') * kOnes;
  const std::uint64_t after_z = low_bits + (0x7F - 'Z') * kOnes;
  const std::uint64_t upper = (from_a ^ after_z) & ~bytes & (0x80 * kOnes);
  return bytes | upper >> 2;
}

/// Folds at most 8 bytes of ASCII, and returns how many.
inline std::size_t lower_ascii_run(std::string_view text, std::size_t at, char* out) {
  constexpr std::uint64_t kBeyond = 0x8080808080808080U;
  std::uint64_t bytes = 0;
  if (text.size() - at < sizeof(bytes)) [[unlikely]] {
    bytes = static_cast<unsigned char>(text[at]);
    if ((bytes & kBeyond) != 0) return 0;
    *out = static_cast<char>(lower_ascii(bytes));
    return 1;
  }
  std::memcpy(&bytes, text.data() + at, sizeof(bytes));
  const std::uint64_t beyond = bytes & kBeyond;
  if ((beyond & 0x80) != 0) return 0;
  // Fast path: equals folding one byte after the other.
  bytes = lower_ascii(bytes);
  std::memcpy(out, &bytes, sizeof(bytes));
  return beyond == 0 ? sizeof(bytes) : lowest_position(beyond) / 8;
}

inline constexpr std::uint32_t kCapitalSigma = 0x3A3;
inline constexpr std::uint32_t kFinalSigma = 0x3C2;
// The only character whose lower case has two characters: "i" and U+0307.
inline constexpr std::uint32_t kCapitalIWithDotCode = 0x130;
inline constexpr std::uint32_t kDotAbove = 0x307;

/// The kind of a character for lower case and for xlsum.
inline const WordKind& word_kind(std::uint32_t code) {
  if (code >> 8 < kWordTops.size()) [[likely]] {
    return kWordKinds[look_up(kWordTops, kWordRows, kWordPages, code)];
  }
  for (const KindRange& range : kLateWordKinds) {
    if (range.first <= code && code <= range.last) return kWordKinds[range.kind];
  }
  return kWordKinds[0];
}

/// Whether the capital sigma that starts at `at` ends a word, so that its lower case is U+03C2.
///
/// Takes the time of the characters around it that are ignorable. A sigma is not, so that each run
/// of ignorable characters is read for at most two of them.
inline bool is_final_sigma(std::string_view text, std::size_t at) {
  // Source: The Unicode Standard, section 3.13, table 3-17, Final_Sigma.
  const auto role_at = [&](std::size_t index) {
    return static_cast<CaseRole>(word_kind(character_at(text, index).code).case_role);
  };
  CaseRole before = CaseRole::kIgnorable;
  for (std::size_t start = at; before == CaseRole::kIgnorable && start > 0;) {
    --start;
    for (std::size_t left = kMostCharacterBytes - 1;
         left > 0 && start > 0 && is_continuation(text[start]); --left) {
      --start;
    }
    before = role_at(start);
  }
  if (before != CaseRole::kCased) return false;
  CaseRole after = CaseRole::kIgnorable;
  for (std::size_t next = at + character_at(text, at).length;
       after == CaseRole::kIgnorable && next < text.size();
       next += character_at(text, next).length) {
    after = role_at(next);
  }
  return after != CaseRole::kCased;
}

/// Puts texts into lower case as the Python that builds the kernel does.
class Lowering {
 public:
  /// Returns the text in lower case, valid until the next call.
  std::string_view lower(std::string_view text, Poll& poll) {
    char* out = lowered_.make_room(0, kRoom);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t stop = std::min(text.size(), at + kPollBytes);
      poll.did(stop - at);
      out = lowered_.make_room(static_cast<std::size_t>(out - lowered_.data()), kRoom);
      while (at < stop) {
        if (const std::size_t run = lower_ascii_run(text, at, out); run != 0) {
          at += run;
          out += run;
          continue;
        }
        const Character character = character_at(text, at);
        std::uint32_t code =
            character.code + static_cast<std::uint32_t>(word_kind(character.code).distance);
        if (character.code == kCapitalIWithDotCode) [[unlikely]] {
          *out++ = 'i';
          code = kDotAbove;
        } else if (character.code == kCapitalSigma && is_final_sigma(text, at)) {
          code = kFinalSigma;
        }
        at += character.length;
        out = write_utf8(code, out);
      }
    }
    return {lowered_.data(), static_cast<std::size_t>(out - lowered_.data())};
  }

 private:
  // A character of one byte takes at most 4 bytes if the text is not UTF-8; the last character of a
  // part may end behind the part, and 8 bytes of ASCII are written at once.
  static constexpr std::size_t kRoom = kMostCharacterBytes * (kPollBytes + kMostCharacterBytes) + 8;

  Buffer<char> lowered_;
};

/// Rewrites texts as the Python that builds the kernel does.
class XlsumRewriter {
 public:
  /// Returns the words of normalize_xlsum, valid until the next call.
  std::string_view normalize(std::string_view text, Poll& poll) {
    return rewrite<false>(text, poll);
  }

  /// Returns the tokens of tokenize_xlsum, valid until the next call.
  std::string_view tokenize(std::string_view text, Poll& poll) { return rewrite<true>(text, poll); }

  /// Whether `normalize` returns the same for the last text.
  bool is_normalized() const { return is_normalized_; }

 private:
  // What a space that is combined with a mark becomes, U+FF05 and "0020".
  static constexpr std::string_view kSpaceOfMarks = "\xEF\xBC\x85" "0020";
  // A character and what precedes it take at most so many times its bytes; a mark of two bytes at
  // the start of a word is preceded by a space and kSpaceOfMarks. The last character of a part may
  // end behind the part, and U+0130 becomes two characters.
  static constexpr std::size_t kMostGrowth = 8;
  static constexpr std::size_t kRoom = kMostGrowth * (kPollBytes + kMostCharacterBytes);

  /// Where a text is written, and what the end of the text so far means for the next character.
  struct Writer {
    char* out;
    const char* start;
    bool is_after_space = true;         // the next character starts a word
    bool has_words = false;
    bool splits = false;                // an ideograph ends its token
    bool is_normalized = true;          // no word was divided or changed
    WordClass run = WordClass::kSpace;  // the class that the current token started with

    void put(char byte) { *out++ = byte; }
    void put(std::string_view bytes) {
      std::memcpy(out, bytes.data(), bytes.size());
      out += bytes.size();
    }
    /// Whether a letter would be written unchanged behind the last character.
    bool continues_letters(bool splits_runs) const {
      return !is_after_space && (!splits_runs || (run == WordClass::kLetter && !splits));
    }
    bool is_line_start() const { return out == start || out[-1] == '\n'; }
  };

  template <bool splits_runs>
  std::string_view rewrite(std::string_view text, Poll& poll) {
    Writer writer{words_.make_room(0, kRoom), words_.data()};
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t stop = std::min(text.size(), at + kPollBytes);
      poll.did(2 * (stop - at));
      writer.out =
          words_.make_room(static_cast<std::size_t>(writer.out - writer.start), kRoom);
      writer.start = words_.data();
      while (at < stop) {
        // Fast path: equals the code below for ASCII letters that continue a token: 1.4 ns
        // per character of English instead of 4.9.
        if (writer.continues_letters(splits_runs)) {
          for (; at < stop && is_ascii_letter(text[at]); ++at) {
            writer.put(static_cast<char>(text[at] | 0x20));
          }
          if (at == stop) break;
        }
        const Character character = character_at(text, at);
        const WordKind& kind = word_kind(character.code);
        auto word_class = static_cast<WordClass>(kind.word_class);
        std::uint32_t code = character.code + static_cast<std::uint32_t>(kind.distance);
        if (character.code == kCapitalIWithDotCode) [[unlikely]] {
          add<splits_runs>('i', word_class, writer);
          code = kDotAbove;
          word_class = WordClass::kMark;
        } else if (character.code == kCapitalSigma && is_final_sigma(text, at)) {
          code = kFinalSigma;
        }
        at += character.length;
        if (word_class == WordClass::kSpace) {
          if (character.code == '\n') writer.put('\n');
          writer.is_after_space = true;
        } else if (word_class != WordClass::kDropped) {
          add<splits_runs>(code, word_class, writer);
        }
      }
    }
    is_normalized_ = writer.is_normalized;
    return {words_.data(), static_cast<std::size_t>(writer.out - writer.start)};
  }

  static bool is_ascii_letter(char byte) {
    return static_cast<unsigned char>((byte | 0x20) - 'a') < 26;
  }

  /// Writes a character of a word, and what separates it from the one before.
  template <bool splits_runs>
  static void add(std::uint32_t code, WordClass word_class, Writer& writer) {
    const bool starts_word = writer.is_after_space;
    writer.is_after_space = false;
    if (starts_word && !writer.is_line_start()) writer.put(' ');
    if constexpr (splits_runs) {
      const bool is_ideograph = word_class == WordClass::kIdeograph;
      if (is_ideograph) word_class = WordClass::kLetter;
      const bool starts_run = starts_word || !continues(writer.run, word_class);
      // Parity: a mark at the start of a word, but the first, is combined with the space before it.
      if (starts_word && writer.has_words && word_class == WordClass::kMark) {
        writer.put(kSpaceOfMarks);
        writer.is_normalized = false;
      }
      if (!starts_word && (starts_run || is_ideograph || writer.splits)) {
        writer.put(' ');
        writer.is_normalized = false;
      }
      if (starts_run) writer.run = word_class;
      writer.splits = is_ideograph;
      writer.has_words = true;
      if (word_class == WordClass::kSymbol) {
        writer.is_normalized = writer.is_normalized && replace(code) == code;
        code = replace(code);
      }
    }
    writer.out = write_utf8(code, writer.out);
  }

  /// Whether a character continues a token: marks continue all, letters and numbers their own, and
  /// each symbol is alone.
  static bool continues(WordClass run, WordClass next) {
    return next == WordClass::kMark || (next == run && next != WordClass::kSymbol);
  }

  /// Parity: the Tokenizer of OpenNMT replaces the characters that it marks tokens with.
  static std::uint32_t replace(std::uint32_t code) {
    switch (code) {
      case 0x2581:
        return '_';
      case 0xFFED:
        return 0x25A0;
      case 0xFFE8:
        return 0x2502;
      default:
        return code;
    }
  }

  Buffer<char> words_;
  bool is_normalized_ = true;
};

}  // namespace bleu_rouge
