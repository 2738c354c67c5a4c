// Show the tokens and stems that the kernel counts; for tests.
#pragma once

#include <nanobind/nanobind.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/buffer.hpp"
#include "base/poll.hpp"
#include "kernel/arguments.hpp"
#include "kernel/columns.hpp"
#include "text/encoder.hpp"
#include "text/porter.hpp"
#include "text/text.hpp"
#include "text/vocabulary.hpp"

namespace bleu_rouge {

/// The tokens of each text, as the kernel counts them; for tests.
inline std::vector<std::vector<nb::bytes>> tokenize(const TextColumn& column,
                                                    const Tokenization& tokenization) {
  Poll poll;
  Encoder encoder(tokenization, poll);
  std::vector<std::vector<nb::bytes>> result;
  Buffer<char> utf8;
  for (const Text& text : column.texts()) {
    std::vector<nb::bytes>& tokens = result.emplace_back();
    encoder.for_each_word(encoder.prepare(read_utf8(text, utf8, poll)), [&tokens](std::size_t count, auto&& word_at) {
      for (std::size_t index = 0; index < count; ++index) {
        const Word word = word_at(index);
        std::array<char, kShortWord> letters{};
        const std::string_view bytes = word.is_long() ? std::string_view(word.bytes, word.length)
                                                      : spell_short(word, letters.data());
        tokens.emplace_back(bytes.data(), bytes.size());
      }
    });
  }
  return result;
}

/// The stem of a word of lower-case letters and digits; for tests.
inline nb::bytes stem(const nb::bytes& word) {
  std::string letters(word.c_str(), word.size());
  letters.resize(Porter::stem(letters));
  return nb::bytes(letters.data(), letters.size());
}

}  // namespace bleu_rouge
