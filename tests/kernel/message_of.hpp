// What a refusal says.
#pragma once

#include <exception>
#include <string>

namespace nonsmooth::kernel::test {

// Of the exception that an action throws; empty if it throws none.
template <class Action>
std::string messageOf(const Action& action) {
  try {
    action();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

}  // namespace nonsmooth::kernel::test
