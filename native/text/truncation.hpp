// Cut a text to its first words or first bytes; equals text/steps.py.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bleu_rouge {

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

}  // namespace bleu_rouge
