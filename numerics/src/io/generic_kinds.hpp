// Numbers by which the text files name the kinds of blocks of a generic mechanical problem; there is none for a disk.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "nonsmooth/problem.h"

namespace nonsmooth {

inline constexpr std::array<std::int32_t, 5> generic_dat_numbers = {2, 0, 9, 3, 4};  // by nsm_block_kind

inline std::optional<nsm_block_kind> generic_kind_from_dat(std::int64_t number) {
  for (std::size_t kind = 0; kind < generic_dat_numbers.size(); ++kind)
    if (generic_dat_numbers[kind] == number) return static_cast<nsm_block_kind>(kind);
  return std::nullopt;
}

}  // namespace nonsmooth
