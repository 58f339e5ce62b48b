// Texts of statuses, outcomes, verdicts, classes: grown from the lists of the public headers.
#include <cstring>

#include "nonsmooth/problem.h"
#include "nonsmooth/result.h"
#include "nonsmooth/status.h"
#include "problems/problem.hpp"

namespace {

struct Row {
  int value;
  const char* name;
  const char* text;
};

#define ROW(name, value, id, text) {value, id, text},
#define CLASS_ROW(name, value, id, text) {value, #id, text},
constexpr Row statuses[] = {NSM_STATUS_LIST(ROW)};
constexpr Row outcomes[] = {NSM_OUTCOME_LIST(ROW)};
constexpr Row classes[] = {NSM_CLASS_LIST(CLASS_ROW)};
#undef ROW
#undef CLASS_ROW

template <std::size_t N>
const Row& find(const Row (&rows)[N], int value) {
  static constexpr Row unknown = {-1, "unknown", "unknown"};
  for (const Row& row : rows)
    if (row.value == value) return row;
  return unknown;
}

}  // namespace

extern "C" {
const char* nsm_status_name(nsm_status status) { return find(statuses, status).name; }
const char* nsm_status_text(nsm_status status) { return find(statuses, status).text; }
const char* nsm_outcome_name(nsm_outcome outcome) { return find(outcomes, outcome).name; }
const char* nsm_outcome_text(nsm_outcome outcome) { return find(outcomes, outcome).text; }
const char* nsm_class_name(nsm_class problem_class) { return find(classes, problem_class).name; }
const char* nsm_class_text(nsm_class problem_class) { return find(classes, problem_class).text; }

int32_t nsm_class_storable(nsm_class problem_class) {
  return problem_class >= 0 && problem_class < NSM_CLASS_COUNT && nonsmooth::is_storable(problem_class) ? 1 : 0;
}

nsm_class nsm_class_from_name(const char* name) {
  for (const Row& row : classes)
    if (name != nullptr && std::strcmp(row.name, name) == 0) return static_cast<nsm_class>(row.value);
  return NSM_CLASS_COUNT;
}

const char* nsm_verdict_text(nsm_verdict verdict) {
  switch (verdict) {
    case NSM_CERTIFIED: return "certified";
    case NSM_WORKING_PRECISION: return "working precision";
    default: return "not certified";
  }
}
}
