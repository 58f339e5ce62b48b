// The interpreter's lock, and calls of Python's functions.
#ifndef NONSMOOTH_PYTHON_LOCK_HPP
#define NONSMOOTH_PYTHON_LOCK_HPP

#include <cxxabi.h>
#include <unistd.h>

#include <utility>

#include "arrays.hpp"

namespace nonsmooth_python {

// Python up to 3.13 ends a daemon thread that wants the lock of an interpreter at its end by unwinding it, which aborts in C++.
// It waits for the end of the process instead, as Python 3.14 has it.
template <class Work>
auto unless_python_ends(Work&& work) {
  try {
    return work();
  } catch (abi::__forced_unwind&) {
    for (;;) pause();
  }
}

// pybind11's guards, but for that.
class Locked {
 public:
  Locked() : state_(unless_python_ends([] { return PyGILState_Ensure(); })) {}
  ~Locked() { PyGILState_Release(state_); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  PyGILState_STATE state_;
};

class Unlocked {
 public:
  Unlocked() : state_(PyEval_SaveThread()) {}
  ~Unlocked() {
    unless_python_ends([this] { PyEval_RestoreThread(state_); });
  }
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  PyThreadState* state_;
};

// Keeps the function, which may be replaced meanwhile.
template <class... Arguments>
py::object call(py::object function, Arguments&&... arguments) {
  const py::tuple tuple = py::make_tuple(std::forward<Arguments>(arguments)...);
  PyObject* returned = unless_python_ends([&] { return PyObject_CallObject(function.ptr(), tuple.ptr()); });
  if (returned == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(returned);
}

}  // namespace nonsmooth_python

#endif
