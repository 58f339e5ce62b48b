#include "errors.hpp"

#include <array>
#include <string>

namespace nonsmooth_python {
namespace {

struct ErrorClasses {
  py::object error;
  // Of files, each also a class of Python; FileError, which is OSError, comes last.
  std::array<py::object, 4> of_files;
};

// Never freed: it lives as long as the interpreter.
ErrorClasses* error_classes = nullptr;

py::object make_class(py::module_& module, const char* name, const py::tuple& bases, const char* text) {
  const std::string full = "nonsmooth." + std::string(name);
  PyObject* made = PyErr_NewExceptionWithDoc(full.c_str(), text, bases.ptr(), nullptr);
  if (made == nullptr) throw py::error_already_set();
  module.attr(name) = py::reinterpret_steal<py::object>(made);
  return module.attr(name);
}

// OSError knows which of its classes belongs to an errno.
py::object file_error(const nsm::Error& caught) {
  const py::str text = to_text(caught.what());
  if (caught.error_number() == 0) return error_classes->of_files.back()(text);
  const py::handle os_error(PyExc_OSError);
  const py::object plain = os_error(caught.error_number(), text);
  for (const py::object& type : error_classes->of_files)
    if (PyObject_IsInstance(plain.ptr(), type.attr("__bases__")[py::int_(1)].ptr()) == 1)
      return type(caught.error_number(), text);
  return plain;
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const nsm::Error& caught) {
    const py::object instance =
        caught.status() == NSM_FILE_ERROR ? file_error(caught) : error_classes->error(to_text(caught.what()));
    instance.attr("status") = nsm::name(caught.status());
    PyErr_SetObject(py::type::handle_of(instance).ptr(), instance.ptr());
  }
}

}  // namespace

// Besides nonsmooth.Error, what a function of Python's own would raise.
void define_errors(py::module_& module) {
  const auto both = [&](const char* name, const py::object& error, PyObject* python, const char* text) {
    return make_class(module, name, py::make_tuple(error, py::handle(python)), text);
  };
  const py::object error =
      make_class(module, "Error", py::make_tuple(py::handle(PyExc_Exception)),
                 "A call that did not work; `status` names why. What became of a problem is no error: see Result.outcome.");
  const py::object file =
      both("FileError", error, PyExc_OSError, "A file cannot be opened, read or written; `errno` as of OSError.");
  error_classes = new ErrorClasses{
      error,
      {both("FileMissingError", file, PyExc_FileNotFoundError, "There is no such file or folder."),
       both("FilePermissionError", file, PyExc_PermissionError, "No permission to read or write the file."),
       both("FileIsDirectoryError", file, PyExc_IsADirectoryError, "A folder stands where a file was named."), file}};
  py::register_exception_translator(&translate);
}

}  // namespace nonsmooth_python
