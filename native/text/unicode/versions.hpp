// The versions of Unicode of the tables. Written by scripts/write_fold_tables.py.
#pragma once

#include <array>
#include <cstdint>

namespace bleu_rouge {

// 151 is 15.1.
inline constexpr std::array<std::uint8_t, 4> kUnicodeVersions{
  130, 140, 150, 151,
};

}  // namespace bleu_rouge
