// Plain loops for texts, with which the fuzzer compares the kernel: UTF-8, and tokenizers that do
// one substitution after the other.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/poll.hpp"
#include "fuzz/oracle.hpp"
#include "text/encoder.hpp"
#include "text/forms.hpp"
#include "text/porter.hpp"
#include "text/tokenizers.hpp"
#include "text/vocabulary.hpp"

namespace oracle {

using bleu_rouge::Tokenizer;

/// Decodes UTF-8 to code points, surrogates included; returns false if the text is not UTF-8.
inline bool decode(std::string_view text, std::u32string& result) {
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (length == 0 || lead > 0xF4 || at + length > text.size()) return false;
    char32_t code = length == 1 ? lead : lead & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
      const auto byte = static_cast<unsigned char>(text[at + i]);
      if ((byte & 0xC0U) != 0x80) return false;
      code = code << 6 | (byte & 0x3FU);
    }
    if ((length == 3 && code < 0x800) || (length == 4 && (code < 0x10000 || code > 0x10FFFF))) {
      return false;
    }
    result.push_back(code);
    at += length;
  }
  return true;
}

inline std::string encode(std::u32string_view text) {
  std::string result;
  const auto put = [&result](char32_t byte) { result.push_back(static_cast<char>(byte)); };
  for (const char32_t code : text) {
    if (code < 0x80) {
      put(code);
    } else if (code < 0x800) {
      put(0xC0 | code >> 6), put(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
      put(0xE0 | code >> 12), put(0x80 | (code >> 6 & 0x3F)), put(0x80 | (code & 0x3F));
    } else {
      put(0xF0 | code >> 18), put(0x80 | (code >> 12 & 0x3F));
      put(0x80 | (code >> 6 & 0x3F)), put(0x80 | (code & 0x3F));
    }
  }
  return result;
}

inline bool is_space(char32_t code) {
  return (0x09 <= code && code <= 0x0D) || (0x1C <= code && code <= 0x20) || code == 0x85 ||
         code == 0xA0 || code == 0x1680 || (0x2000 <= code && code <= 0x200A) || code == 0x2028 ||
         code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x3000;
}

inline bool is_digit(char32_t code) { return U'0' <= code && code <= U'9'; }
inline bool is_letter(char32_t code) { return U'a' <= (code | 0x20) && (code | 0x20) <= U'z'; }
inline bool is_mark(char32_t code) { return code == U'.' || code == U','; }

inline bool is_symbol(char32_t code) {
  return U'!' <= code && code <= U'~' && !is_letter(code) && !is_digit(code) && !is_mark(code) &&
         code != U'-' && code != U'\'';
}

inline Tokens split(const std::u32string& text) {
  Tokens tokens;
  std::u32string token;
  for (const char32_t code : text + U" ") {
    if (!is_space(code)) {
      token.push_back(code);
    } else if (!token.empty()) {
      tokens.push_back(encode(token));
      token.clear();
    }
  }
  return tokens;
}

inline std::u32string replace(const std::u32string& text, std::u32string_view from,
                       std::u32string_view to) {
  std::u32string result;
  for (std::size_t at = 0; at < text.size();) {
    if (text.compare(at, from.size(), from) == 0) {
      result += to;
      at += from.size();
    } else {
      result += text[at++];
    }
  }
  return result;
}

/// Does the same as re.sub with a pattern of two character classes; `make` makes the replacement.
template <class First, class Second, class Make>
std::u32string substitute(const std::u32string& text, First first, Second second, Make make) {
  std::u32string result;
  for (std::size_t at = 0; at < text.size();) {
    if (at + 1 < text.size() && first(text[at]) && second(text[at + 1])) {
      result += make(text[at], text[at + 1]);
      at += 2;
    } else {
      result += text[at++];
    }
  }
  return result;
}

inline Tokens tokenize_13a(std::u32string text) {
  text = replace(replace(replace(text, U"<skipped>", U""), U"-\n", U""), U"\n", U" ");
  text = replace(replace(text, U"&quot;", U"\""), U"&amp;", U"&");
  text = replace(replace(text, U"&lt;", U"<"), U"&gt;", U">");
  std::u32string spaced = U" ";
  for (const char32_t code : text + U" ") {
    if (is_symbol(code)) spaced += {U' ', code, U' '};
    if (!is_symbol(code)) spaced += code;
  }
  const auto is_no_digit = [](char32_t code) { return !is_digit(code); };
  const auto is_hyphen = [](char32_t code) { return code == U'-'; };
  const auto apart = [](char32_t a, char32_t b) { return std::u32string{a, U' ', b, U' '}; };
  const auto before = [](char32_t a, char32_t b) { return std::u32string{U' ', a, U' ', b}; };
  spaced = substitute(spaced, is_no_digit, is_mark, apart);
  spaced = substitute(spaced, is_mark, is_no_digit, before);
  spaced = substitute(spaced, is_digit, is_hyphen, apart);
  return split(spaced);
}

inline Tokens tokenize_rouge(const std::u32string& text, Tokenizer tokenizer) {
  const bool lowers_unicode = tokenizer != Tokenizer::kRouge155;
  std::u32string kept;
  for (const char32_t code : text) {
    if (lowers_unicode && code == 0x212A) {
      kept += U'k';
    } else if (lowers_unicode && code == 0x130) {
      kept += U"i ";
    } else if (code < 0x80 && (is_letter(code) || is_digit(code))) {
      kept += code | 0x20;
    } else {
      kept += U' ';
    }
  }
  Tokens tokens = split(kept);
  for (std::string& token : tokens) {
    if (tokenizer == Tokenizer::kRougeStemmed && token.size() > 3)
      token.resize(bleu_rouge::Porter::stem(token));
  }
  return tokens;
}

using bleu_rouge::Tokenization;

/// Forms like those of a stemmer and of stop words.
class OracleForms : public bleu_rouge::Forms {
 public:
  std::optional<std::string> find(std::string_view word) const override {
    if (word.front() == 'a' || word.size() == 17) return std::nullopt;
    if (word.front() == 'w') return std::string(word) + std::string(word);
    return std::string(word.substr(0, word.size() / 2 + 1));
  }
};

/// The tokens that the kernel finds in a text.
inline Tokens find_tokens(std::string_view text, const Tokenization& tokenization) {
  bleu_rouge::Poll poll;
  bleu_rouge::Encoder encoder(tokenization, poll);
  Tokens tokens;
  encoder.for_each_word(text, [&tokens](std::size_t count, auto&& word_at) {
    for (std::size_t index = 0; index < count; ++index) {
      const bleu_rouge::Word word = word_at(index);
      char letters[bleu_rouge::kShortWord];
      tokens.emplace_back(word.is_long() ? std::string_view(word.bytes, word.length)
                                         : bleu_rouge::spell_short(word, letters));
    }
  });
  return tokens;
}

inline Tokens find_words(const std::u32string& text, Tokenizer tokenizer) {
  switch (tokenizer) {
    case Tokenizer::kRouge:
    case Tokenizer::kRougeStemmed:
    case Tokenizer::kRouge155:
      return tokenize_rouge(text, tokenizer);
    case Tokenizer::k13a:
      return tokenize_13a(text);
    case Tokenizer::kWhitespace:
      return split(text);
    case Tokenizer::kChar:
      break;
    case Tokenizer::kUnicode:
    case Tokenizer::kGrapheme:
    case Tokenizer::kInternational:
    case Tokenizer::kChinese:
    case Tokenizer::kXlsum:
    case Tokenizer::kXlsumLine:
      // The tests in Python compare their tokens. Here they show that lines are found, and that no
      // text is read beyond its end.
      return find_tokens(encode(text), {tokenizer});
  }
  Tokens tokens;
  for (const char32_t code : text) {
    if (!is_space(code)) tokens.push_back(encode({&code, 1}));
  }
  return tokens;
}

inline Tokens tokenize(const std::u32string& text, const Tokenization& tokenization) {
  Tokens tokens;
  for (const std::string& word : find_words(text, tokenization.tokenizer)) {
    const auto form = tokenization.forms ? tokenization.forms->find(word) : word;
    if (form) tokens.push_back(*form);
  }
  return tokens;
}

}  // namespace oracle
