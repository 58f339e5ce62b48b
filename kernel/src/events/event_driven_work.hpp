// What an event-driven simulation keeps between its functions.
#ifndef NONSMOOTH_KERNEL_EVENTS_EVENT_DRIVEN_WORK_HPP
#define NONSMOOTH_KERNEL_EVENTS_EVENT_DRIVEN_WORK_HPP

#include "events/smooth_motion.hpp"
#include "nonsmooth/kernel/event_driven.hpp"
#include "simulation/snapshot.hpp"

namespace nonsmooth::kernel {

enum class FunctionKind { Gap, Force, Stick, Slide };

// A function whose fall through zero is an event. It is armed once it has clearly been above zero: a contact that has just opened
// begins at a gap that is zero up to rounding.
struct EventDriven::Function {
  FunctionKind kind = FunctionKind::Gap;
  int record = -1;
  bool armed = false, disabled = false;
  double value = 0, rate = 0;  // at the end of what has been searched; the rate of gaps only
};

// One contact: its part in smooth motion, and in the event at work.
struct EventDriven::Contact {
  std::uint32_t generation = 0;
  bool closed = false;
  double floor = 0;                                          // the gap it had at the last event, where that was below zero
  double grazed = -std::numeric_limits<double>::infinity();  // when its gap last fired without an impact
  ContactMode mode = ContactMode::Frictionless;
  std::array<double, 2> direction = {0, 0};
  // Of the event at work.
  bool fired[4] = {false, false, false, false};  // by kind of function
  bool at_once = false;                          // at the very instant the contact opened
  bool plastic = false, undetermined = false;
  bool was_closed = false;
  ContactMode mode_before = ContactMode::Frictionless;
  std::array<double, 2> direction_before = {0, 0};
  double velocity_before = 0, impulse = 0, until = 0;
  // The last impacts.
  std::array<double, 3> impacts = {0, 0, 0};
  int impact_count = 0;
  double first_impact = 0;
  // When it last opened or had an impact, and the duration of the flight before.
  double opened = -std::numeric_limits<double>::infinity(), flight = std::numeric_limits<double>::infinity();
};

struct EventDriven::Work {
  std::vector<Contact> contacts;  // by record
  std::vector<Function> functions;
  std::vector<std::size_t> fired;
  bool found = false;
  double found_time = 0, searched = 0;
  // Where integrate() has left the state, ahead of the event processed last; none where that event's instant is the present one.
  double reached = -std::numeric_limits<double>::infinity();
  bool end_at_instant = false;  // closed contacts have drifted off: a step is to end where they are put back
  // Of the event at work: velocity at which contacts that were closed stay so, where nothing but falls through what gaps are
  // known to has happened.
  double resting = 0;
  std::int64_t last_ticks = -1;
  int at_one_instant = 0;
  // The start of the step, which is given back where the step fails; entries of the log made since. `under_way` until its event
  // has been processed.
  bool under_way = false;
  Snapshot start;
  std::vector<Contact> contacts_at_start;
  std::array<long, 9> counts_at_start{};
  std::size_t logged = 0;
  // Entries of the log that the user has not been told of.
  std::vector<ContactRecord> unannounced;
  // Positions and velocities that smooth motion goes on from, and the versions of operators then.
  std::vector<double> left_q, left_v;
  std::vector<double> parameters;  // z of systems and relations when functions were called last before users
  unsigned long left_version = 0;
};

}  // namespace nonsmooth::kernel
#endif
