// The tokenizers of the kernel.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "text/forms.hpp"
#include "text/rewrite.hpp"

namespace bleu_rouge {

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
