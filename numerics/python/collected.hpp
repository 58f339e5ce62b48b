// Objects that refer to objects of Python: a problem to its functions, a solver to these and its callbacks. The garbage collector
// has to see it, as a function is often a method of what holds the problem.
#ifndef NONSMOOTH_PYTHON_COLLECTED_HPP
#define NONSMOOTH_PYTHON_COLLECTED_HPP

#include "arrays.hpp"

namespace nonsmooth_python {

// None before it is made. No class of the module has several bases.
template <class Type>
Type* held_by(PyObject* self) {
  auto* instance = reinterpret_cast<py::detail::instance*>(self);
  if (!instance->simple_layout || !instance->simple_holder_constructed) return nullptr;
  return static_cast<Type*>(instance->simple_value_holder[0]);
}

// `references()` are the objects, `forget()` lets go those that may have come later, without which there is no cycle.
template <class Type>
py::custom_type_setup collected() {
  return py::custom_type_setup([](PyHeapTypeObject* heap_type) {
    PyTypeObject& type = heap_type->ht_type;
    type.tp_flags |= Py_TPFLAGS_HAVE_GC;
    type.tp_traverse = [](PyObject* self, visitproc visit, void* arg) {
#if PY_VERSION_HEX >= 0x03090000
      Py_VISIT(Py_TYPE(self));
#endif
      if (const Type* held = held_by<Type>(self))
        for (const py::handle object : held->references()) Py_VISIT(object.ptr());
      return 0;
    };
    type.tp_clear = [](PyObject* self) {
      if (Type* held = held_by<Type>(self)) held->forget();
      return 0;
    };
    type.tp_dealloc = [](PyObject* self) {
      PyObject_GC_UnTrack(self);  // pybind11 2.10 leaves it to be seen half destroyed
      py::detail::pybind11_object_dealloc(self);
    };
  });
}

}  // namespace nonsmooth_python

#endif
