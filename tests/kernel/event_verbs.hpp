// Parts of an event-driven step that a loop of one's own may call.
#pragma once

#include <functional>
#include <vector>

#include "nonsmooth/kernel/kernel.hpp"

namespace nonsmooth::kernel::test {

using EventVerb = std::function<void(EventDriven&)>;

inline const std::vector<EventVerb> event_verbs = {[](EventDriven& s) { s.updateOutput(0, 2); },
                                                   [](EventDriven& s) { s.updateIndexSets(); },
                                                   [](EventDriven& s) { s.computeOneStepNSProblem("impact"); },
                                                   [](EventDriven& s) { s.update(1); },
                                                   [](EventDriven& s) { s.updateIndexSetsWithDoubleCondition(); },
                                                   [](EventDriven& s) { s.nextStep(); }};

}  // namespace nonsmooth::kernel::test
