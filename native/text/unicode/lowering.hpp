// A text in lower case; equals str.lower of Python.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/buffer.hpp"
#include "base/poll.hpp"
#include "text/scan.hpp"
#include "text/text.hpp"
#include "text/unicode/characters.hpp"
#include "text/unicode/lower.hpp"
#include "text/unicode/lower_ascii.hpp"

namespace bleu_rouge {

/// Puts texts into lower case as the Python that builds the kernel does.
class Lowering {
 public:
  /// Returns the text in lower case, valid until the next call.
  std::string_view lower(std::string_view text, Poll& poll) {
    char* out = make_room(0);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t stop = std::min(text.size(), at + kPollBytes);
      poll.did(stop - at);
      out = make_room(static_cast<std::size_t>(out - lowered_.data()));
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

  /// Returns the end of the first `size` bytes, behind which there is room for a part of a text.
  char* make_room(std::size_t size) {
    if (lowered_.size() < size + kRoom) lowered_.extend(size + kRoom - lowered_.size());
    return lowered_.data() + size;
  }

  Buffer<char> lowered_;
};

}  // namespace bleu_rouge
