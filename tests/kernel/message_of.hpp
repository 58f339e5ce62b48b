// What a refusal says.
#pragma once

#include <gtest/gtest.h>

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

// That an action is refused, with such words among others.
template <class Action>
void expectRefusal(const std::string& part, const Action& action) {
  const std::string message = messageOf(action);
  EXPECT_NE(message.find(part), std::string::npos) << "got \"" << message << "\", not \"" << part << "\"";
}

}  // namespace nonsmooth::kernel::test
