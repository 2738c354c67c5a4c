// 64 bytes of a text at once: each class of bytes has a 64-bit mask of their positions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/bits.hpp"
#include "text/text.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace bleu_rouge {

inline constexpr std::size_t kBlockBytes = kWordBits;

// Fast path: tests 16 bytes at a time; equals testing one byte after the other. A pair of XSum
// sentences takes 0.41 µs instead of 1.01, and with 13a 0.51 instead of 2.31.
#if defined(__SSE2__)

class Block {
 public:
  explicit Block(const char* bytes) {
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      std::memcpy(&parts_[part].bytes, bytes + part * sizeof(Part), sizeof(Part));
    }
  }

  std::uint64_t equal(unsigned char value) const {
    const __m128i wanted = fill(value);
    return mask([wanted](__m128i bytes) { return _mm_cmpeq_epi8(bytes, wanted); });
  }

  std::uint64_t within(unsigned char first, unsigned char last) const {
    return mask([=](__m128i bytes) { return in_range(bytes, first, last); });
  }

  std::uint64_t letters() const {
    const __m128i case_bit = fill(0x20);
    return mask([=](__m128i bytes) { return in_range(_mm_or_si128(bytes, case_bit), 'a', 'z'); });
  }

  std::uint64_t letters_and_digits() const {
    const __m128i case_bit = fill(0x20);
    return mask([=](__m128i bytes) {
      return _mm_or_si128(in_range(_mm_or_si128(bytes, case_bit), 'a', 'z'),
                          in_range(bytes, '0', '9'));
    });
  }

  std::uint64_t ascii_spaces() const {
    return mask([](__m128i bytes) {
      return _mm_or_si128(in_range(bytes, '\t', '\r'), in_range(bytes, 0x1C, ' '));
    });
  }

  std::uint64_t beyond_ascii() const {
    return mask([](__m128i bytes) { return bytes; });
  }

 private:
  static __m128i fill(unsigned char value) { return _mm_set1_epi8(static_cast<char>(value)); }

  static __m128i in_range(__m128i bytes, unsigned char first, unsigned char last) {
    const __m128i distance = _mm_sub_epi8(bytes, fill(first));
    const __m128i most = fill(static_cast<unsigned char>(last - first));
    return _mm_cmpeq_epi8(_mm_min_epu8(distance, most), distance);
  }

  template <class Test>
  std::uint64_t mask(Test test) const {
    std::uint64_t bits = 0;
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      const auto found = static_cast<std::uint32_t>(_mm_movemask_epi8(test(parts_[part].bytes)));
      bits |= std::uint64_t{found} << (part * sizeof(Part));
    }
    return bits;
  }

  struct Part {
    __m128i bytes;
  };

  std::array<Part, kBlockBytes / sizeof(Part)> parts_;
};

#else

class Block {
 public:
  explicit Block(const char* bytes) { std::memcpy(bytes_.data(), bytes, kBlockBytes); }

  std::uint64_t equal(unsigned char value) const { return within(value, value); }

  std::uint64_t within(unsigned char first, unsigned char last) const {
    return mask([=](unsigned char byte) { return first <= byte && byte <= last; });
  }

  std::uint64_t letters() const {
    return mask([](unsigned char byte) { return 'a' <= (byte | 0x20) && (byte | 0x20) <= 'z'; });
  }

  std::uint64_t letters_and_digits() const { return letters() | within('0', '9'); }

  std::uint64_t ascii_spaces() const { return within('\t', '\r') | within(0x1C, ' '); }

  std::uint64_t beyond_ascii() const { return within(0x80, 0xFF); }

 private:
  template <class Test>
  std::uint64_t mask(Test test) const {
    std::uint64_t bits = 0;
    for (std::size_t index = 0; index < kBlockBytes; ++index) {
      bits |= std::uint64_t{test(bytes_[index])} << index;
    }
    return bits;
  }

  std::array<unsigned char, kBlockBytes> bytes_;
};

#endif

struct Edges {
  std::uint64_t starts;
  std::uint64_t ends;
};

/// The last bit of a mask of the block before.
class Carry {
 public:
  explicit Carry(bool first) : bit_(first ? 1 : 0) {}

  /// The mask moved by one: bit i is the bit of byte i - 1.
  std::uint64_t previous(std::uint64_t mask) {
    const std::uint64_t moved = mask << 1 | bit_;
    bit_ = mask >> (kWordBits - 1);
    return moved;
  }

 private:
  std::uint64_t bit_;
};

/// tokenize_rouge155: runs of ASCII letters and digits; all characters beyond ASCII are separators.
/// Also tokenize_rouge, after rewrite_rouge has replaced the two special characters of text.hpp.
class RougeRule {
 public:
  Edges operator()(const Block& block, std::string_view /*text*/, std::size_t /*at*/) {
    const std::uint64_t token = block.letters_and_digits();
    const std::uint64_t before = token_.previous(token);
    return {token & ~before, ~token & before};
  }

 private:
  Carry token_{false};
};

/// The mask of white space: all bytes of the characters that str.split treats as white space.
class SpaceMask {
 public:
  std::uint64_t operator()(const Block& block, std::string_view text, std::size_t at) {
    std::uint64_t spaces = block.ascii_spaces() | pending_;
    pending_ = 0;
    if (block.beyond_ascii() != 0) {
      std::uint64_t leads = block.equal(0xC2) | block.within(0xE1, 0xE3);
      for (; leads != 0; leads &= leads - 1) {
        const std::size_t index = lowest_position(leads);
        const std::size_t length = unicode_space_length(text, at + index);
        const std::uint64_t bytes = (std::uint64_t{1} << length) - 1;
        spaces |= bytes << index;
        if (index + length > kWordBits) pending_ |= bytes >> (kWordBits - index);
      }
    }
    return spaces;
  }

 private:
  std::uint64_t pending_ = 0;
};

/// The mask of white space in a text in which ASCII is the only white space.
class AsciiSpaceMask {
 public:
  std::uint64_t operator()(const Block& block, std::string_view /*text*/, std::size_t /*at*/) {
    return block.ascii_spaces();
  }
};

/// Words separated by white space.
template <class Spaces>
class SpaceRule {
 public:
  Edges operator()(const Block& block, std::string_view text, std::size_t at) {
    const std::uint64_t space = spaces_(block, text, at);
    const std::uint64_t space_before = space_.previous(space);
    return {~space & space_before, space & ~space_before};
  }

 private:
  Spaces spaces_;
  Carry space_{true};
};

/// tokenize_whitespace.
using WhitespaceRule = SpaceRule<SpaceMask>;

/// The words that XlsumRewriter writes.
using WrittenRule = SpaceRule<AsciiSpaceMask>;

/// tokenize_char: every character that is not white space.
class CharRule {
 public:
  Edges operator()(const Block& block, std::string_view text, std::size_t at) {
    const std::uint64_t space = spaces_(block, text, at);
    const std::uint64_t space_before = space_.previous(space);
    const std::uint64_t starts = ~space & (~block.within(0x80, 0xBF) | space_before);
    return {starts, (space | starts) & ~space_before};
  }

 private:
  SpaceMask spaces_;
  Carry space_{true};
};

/// tokenize_13a, after rewrite_13a has replaced "<skipped>", "-\n" and entities.
class MtevalRule {
 public:
  Edges operator()(const Block& block, std::string_view text, std::size_t at) {
    const std::uint64_t space = spaces_(block, text, at);
    const std::uint64_t digit = block.within('0', '9');
    const std::uint64_t mark = block.equal(',') | block.equal('.');
    const std::uint64_t hyphen = block.equal('-');
    const std::uint64_t symbol = block.within('!', '~') & ~block.letters() & ~digit & ~mark &
                                 ~hyphen & ~block.equal('\'');
    const std::uint64_t digit_before = digit_.previous(digit);
    const std::uint64_t mark_before = mark_.previous(mark);
    const std::uint64_t digit_after =
        digit >> 1 | std::uint64_t{is_digit(text, at + kBlockBytes)} << (kWordBits - 1);

    // Parity: the four substitutions of separate_ascii_marks in text/rules.py, in closed form.
    // Each symbol is a token, and so is a hyphen after a digit. A full stop or comma (a mark) is a
    // token except in two cases: between two digits it joins both; if it is the last of several
    // marks in a row, it may stay with the digit that follows, see stays_with_digit.
    std::uint64_t alone =
        symbol | (hyphen & digit_before) | (mark & ~(digit_before & digit_after));
    for (std::uint64_t last = mark & mark_before & digit_after; last != 0; last &= last - 1) {
      if (stays_with_digit(text, at + lowest_position(last))) alone &= ~lowest_bit(last);
    }

    const std::uint64_t space_before = space_.previous(space);
    const std::uint64_t alone_before = alone_.previous(alone);
    const std::uint64_t starts = ~space & (space_before | alone | alone_before);
    return {starts, (space | starts) & ~space_before};
  }

 private:
  static bool is_digit(std::string_view text, std::size_t at) {
    return at < text.size() && '0' <= text[at] && text[at] <= '9';
  }

  /// Whether the last of several marks in a row stays with the digit after it.
  static bool stays_with_digit(std::string_view text, std::size_t at) {
    // Parity: the substitution "([^0-9])([.,])" consumes marks from the left, each with the
    // character before it. If no digit precedes the row, it consumes the first mark and then pairs,
    // so the last mark of an even number remains. If a digit precedes the row, it consumes pairs
    // from the start.
    std::size_t first = at;
    while (first > 0 && (text[first - 1] == '.' || text[first - 1] == ',')) --first;
    const bool is_even = (at - first + 1) % 2 == 0;
    const bool follows_digit = first > 0 && is_digit(text, first - 1);
    return is_even != follows_digit;
  }

  SpaceMask spaces_;
  Carry digit_{false};
  Carry mark_{false};
  Carry space_{true};
  Carry alone_{false};
};

}  // namespace bleu_rouge
