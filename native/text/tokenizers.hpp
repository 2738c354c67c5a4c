// The tokenizers of the kernel, and what changes a text before its tokens are found: substitutions,
// and limits of words or bytes.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "base/poll.hpp"
#include "text/forms.hpp"
#include "text/text.hpp"

namespace bleu_rouge {

/// Replaces every `from` by `to` from left to right, as str.replace does; `to` must not be longer.
inline void replace_all(std::string& text, std::string_view from, std::string_view to,
                        Poll& poll) {
  std::size_t found = text.find(from);
  if (found == std::string::npos) return;
  std::size_t written = found;
  std::size_t read = found;
  while (found != std::string::npos) {
    text.replace(written, to.size(), to);  // overwrites bytes that were read already: nothing moves
    written += to.size();
    read = found + from.size();
    found = text.find(from, read);
    const std::size_t stop = found == std::string::npos ? text.size() : found;
    poll.did(stop - read);
    for (; read < stop; ++read) text[written++] = text[read];
  }
  text.resize(written);
}

/// The text that MtevalRule expects: `text` itself, or its changed copy in `scratch`.
inline std::string_view rewrite_13a(std::string_view text, std::string& scratch, Poll& poll) {
  const bool has_entity = text.find('&') != std::string_view::npos;
  if (!has_entity && text.find("<skipped>") == std::string_view::npos &&
      text.find("-\n") == std::string_view::npos) {
    return text;
  }
  scratch.assign(text);
  replace_all(scratch, "<skipped>", "", poll);
  replace_all(scratch, "-\n", "", poll);
  // The Python twin replaces newlines by spaces; this is not needed, because both are white space.
  if (has_entity) {
    // Parity: entities are replaced in this order, so "&amp;lt;" becomes "<".
    replace_all(scratch, "&quot;", "\"", poll);
    replace_all(scratch, "&amp;", "&", poll);
    replace_all(scratch, "&lt;", "<", poll);
    replace_all(scratch, "&gt;", ">", poll);
  }
  return scratch;
}

/// The text that RougeRule expects: `text` itself, or its changed copy in `scratch`.
inline std::string_view rewrite_rouge(std::string_view text, std::string& scratch, Poll& poll) {
  if (text.find(kKelvinSign) == std::string_view::npos &&
      text.find(kCapitalIWithDot) == std::string_view::npos) {
    return text;
  }
  scratch.assign(text);
  // Parity: rouge_score calls str.lower before the filter. The lower case of U+0130 is "i" and
  // U+0307, which is a separator.
  replace_all(scratch, kKelvinSign, "k", poll);
  replace_all(scratch, kCapitalIWithDot, "i ", poll);
  return scratch;
}

/// What is kept of a text; all of it if both are 0. Empty lines are left out of a text that is cut.
struct Truncation {
  std::size_t words = 0;
  std::size_t bytes = 0;

  explicit operator bool() const { return words != 0 || bytes != 0; }
};

/// The start of a line with its first words, as Perl's "\s" separates them. A line that begins with
/// white space has an empty first word before it, unless it has no other word.
///
/// Args:
///   left: how many words are kept, at least 1; reduced by the words of the line.
inline std::string_view first_words(std::string_view line, std::size_t& left) {
  constexpr std::string_view kSpaces = " \t\n\r\f\v";
  std::size_t start = line.find_first_not_of(kSpaces);
  if (start == std::string_view::npos) return {};
  std::size_t end = 0;
  if (start != 0) --left;
  while (left != 0 && start != std::string_view::npos) {
    --left;
    end = line.find_first_of(kSpaces, start);
    if (end == std::string_view::npos) return line;
    start = line.find_first_not_of(kSpaces, end);
  }
  return line.substr(0, end);
}

/// The characters that lie completely in the first bytes of a line.
inline std::string_view first_bytes(std::string_view line, std::size_t limit) {
  if (limit >= line.size()) return line;
  while (limit > 0 && (static_cast<unsigned char>(line[limit]) & 0xC0U) == 0x80U) --limit;
  return line.substr(0, limit);
}

/// What a truncation leaves of a text, in `scratch`.
inline std::string_view truncate(std::string_view text, const Truncation& truncation,
                                 std::string& scratch) {
  scratch.clear();
  std::size_t left = truncation.words != 0 ? truncation.words : truncation.bytes;
  bool is_first = true;
  while (!text.empty() && left != 0) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() < text.size() ? line.size() + 1 : line.size());
    if (line.empty()) continue;
    if (!is_first) scratch.push_back('\n');
    is_first = false;
    if (truncation.words != 0) {
      scratch.append(first_words(line, left));
    } else {
      scratch.append(first_bytes(line, left));
      left -= line.size() < left ? line.size() : left;
    }
  }
  return scratch;
}

enum class Tokenizer {
  kRouge,
  kRougeStemmed,
  kRouge155,
  k13a,
  kWhitespace,
  kChar,
  kUnicode,
  kGrapheme,
  kInternational,
  kChinese,
  kXlsum,
  kXlsumLine  // each line of a text of kXlsum
};

struct NamedTokenizer {
  std::string_view name;
  Tokenizer tokenizer;
};

inline constexpr std::array<NamedTokenizer, 12> kTokenizers{{
    {"rouge", Tokenizer::kRouge},
    {"rouge_stemmed", Tokenizer::kRougeStemmed},
    {"rouge-1.5.5", Tokenizer::kRouge155},
    {"13a", Tokenizer::k13a},
    {"whitespace", Tokenizer::kWhitespace},
    {"char", Tokenizer::kChar},
    {"unicode", Tokenizer::kUnicode},
    {"grapheme", Tokenizer::kGrapheme},
    {"intl", Tokenizer::kInternational},
    {"zh", Tokenizer::kChinese},
    {"xlsum", Tokenizer::kXlsum},
    {"xlsum_line", Tokenizer::kXlsumLine},
}};

/// What turns a text into tokens.
struct Tokenization {
  Tokenizer tokenizer;
  bool lowercase = false;          // whether a text is put into lower case before all else
  Truncation truncation{};         // of a text
  std::shared_ptr<Forms> forms{};  // of the tokens; null if they do not change
};

/// Raises std::invalid_argument if the name is unknown.
inline Tokenization make_tokenization(std::string_view name, bool lowercase,
                                      const Truncation& truncation,
                                      std::shared_ptr<Forms> forms) {
  for (const NamedTokenizer& named : kTokenizers) {
    if (named.name != name) continue;
    return {named.tokenizer, lowercase, truncation, std::move(forms)};
  }
  throw std::invalid_argument("unknown tokenizer '" + std::string(name) + "'.");
}

}  // namespace bleu_rouge
