// Changes of a text before a tokenizer finds its tokens.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/poll.hpp"
#include "text/utf8.hpp"

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

}  // namespace bleu_rouge
