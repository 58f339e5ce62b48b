// What a misspelt name may have meant.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace nonsmooth {

// How many letters are left out, added or replaced between a and b (Levenshtein 1966).
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

// The nearest of `names`, the end of a message: "; did you mean 'lemke'?". Nothing where none is near.
inline std::string suggestion(std::string_view wrong, const std::vector<std::string_view>& names) {
  constexpr std::size_t longest_name = 64;
  if (wrong.size() > longest_name) return {};
  std::size_t least = std::max<std::size_t>(2, wrong.size() / 3) + 1;
  std::string_view nearest;
  for (const std::string_view name : names)
    if (const std::size_t distance = edit_distance(wrong, name); distance < std::min(least, wrong.size())) {
      least = distance;
      nearest = name;
    }
  return nearest.empty() ? std::string() : "; did you mean '" + std::string(nearest) + "'?";
}

}  // namespace nonsmooth
