// What of a program's own list is asked for.
#pragma once

#include <iterator>
#include <string>
#include <vector>

#include "../../programs/program.hpp"

namespace nonsmooth {

// Those whose title contains a text. Throws programs::Failure where there are none; `what` they are is told then.
template <class All>
auto with_title(const All& all, const std::string& text, const char* what) {
  std::vector<std::iter_value_t<decltype(std::begin(all))>> found;
  for (const auto& one : all)
    if (std::string(one.title).find(text) != std::string::npos) found.push_back(one);
  if (found.empty())
    throw programs::Failure{programs::usage, std::string("--only: no ") + what + " has '" + text + "' in its name"};
  return found;
}

}  // namespace nonsmooth
