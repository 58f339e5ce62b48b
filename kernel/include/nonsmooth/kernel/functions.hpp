// User functions and the values they give.
#ifndef NONSMOOTH_KERNEL_FUNCTIONS_HPP
#define NONSMOOTH_KERNEL_FUNCTIONS_HPP

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "nonsmooth/kernel/algebra.hpp"
#include "nonsmooth/kernel/error.hpp"

namespace nonsmooth::kernel {

// Signatures. `out` has the size of the result and holds zeros on entry; z are the parameters of the system, which a function may
// change. Matrices are given as views of their columns. A function is called on the thread of the simulation, must give the same
// result for the same arguments within one step, and may throw: the exception reaches the caller of the step.
using TimeToVector = std::function<void(double t, VectorRef out, VectorRef z)>;
using TimeToMatrix = std::function<void(double t, MatrixRef out, VectorRef z)>;
using StateToVector = std::function<void(double t, ConstVectorRef x, VectorRef out, VectorRef z)>;
using StateToMatrix = std::function<void(double t, ConstVectorRef x, MatrixRef out, VectorRef z)>;
using MotionToVector = std::function<void(double t, ConstVectorRef q, ConstVectorRef v, VectorRef out, VectorRef z)>;
using MotionToMatrix = std::function<void(double t, ConstVectorRef q, ConstVectorRef v, MatrixRef out, VectorRef z)>;
using ConfigurationToVector = std::function<void(ConstVectorRef q, VectorRef out, VectorRef z)>;
using ConfigurationToMatrix = std::function<void(ConstVectorRef q, MatrixRef out, VectorRef z)>;
using RateToMatrix = std::function<void(ConstVectorRef q, ConstVectorRef v, MatrixRef out, VectorRef z)>;
// Of relations: x the concatenated states of the systems, lambda the multipliers.
using CoupledToVector = std::function<void(double t, ConstVectorRef x, ConstVectorRef lambda, VectorRef out, VectorRef z)>;
using CoupledToMatrix = std::function<void(double t, ConstVectorRef x, ConstVectorRef lambda, MatrixRef out, VectorRef z)>;

// The function of that name in the shared library plugin(.so), wrapped; the library stays loaded as long as the result lives.
// Throws if the library or the function is not found or its signature is another (plugin.hpp).
template <class Function>
Function loadFunction(const std::string& plugin, const std::string& function);
// Both in one name, "plugin:function"; throws where there is no colon.
std::pair<std::string, std::string> splitFunctionName(const std::string& name);
// The same of such a name.
template <class Function>
Function loadFunction(const std::string& name) {
  const auto [plugin, function] = splitFunctionName(name);
  return loadFunction<Function>(plugin, function);
}

// A vector or matrix that is constant or computed by a function of the user.
template <class Value, class Function>
class Operand {
 public:
  // Under its name, for messages.
  explicit Operand(const char* what) : name_(what) {}
  // Has the user given it a value or a function? Has it a function?
  bool given() const { return given_ || function_; }
  bool computed() const { return static_cast<bool>(function_); }
  // The value, which a function overwrites, null before there is any; the function.
  const std::shared_ptr<Value>& pointer() const { return value_; }
  const Function& function() const { return function_; }

  // A constant, copied.
  void set(const Value& value) {
    if (value_)
      *value_ = value;
    else
      value_ = std::make_shared<Value>(value);
    given_ = true;
    function_ = nullptr;
  }
  // A constant shared with the caller.
  void setPointer(std::shared_ptr<Value> value) {
    if (!value) fail("a null pointer was given where a vector or matrix is needed");
    value_ = std::move(value);
    given_ = true;
    function_ = nullptr;
  }
  // A function, called when the value is needed.
  void setFunction(Function function) {
    if (!function) fail("an empty function was given");
    function_ = std::move(function);
  }
  // What has been computed of it elsewhere, to be read: it does not count as given.
  void keep(const Value& value) {
    if (given()) return;
    if (value_)
      *value_ = value;
    else
      value_ = std::make_shared<Value>(value);
  }
  // The value [rows, cols] after a call of the function (if there is one) with `arguments` before the result and z after it; zero
  // where nothing is given, which it does not become by being computed. Throws where it has another size, which one that is
  // shared can get.
  template <class... Arguments>
  const Value& compute(Index rows, Index cols, Vector& z, Arguments&&... arguments) {
    if (!value_) value_ = std::make_shared<Value>(Value::Zero(rows, cols));
    constant(rows, cols);
    if (function_) {
      value_->setZero();
      function_(std::forward<Arguments>(arguments)..., *value_, z);
    }
    return *value_;
  }
  // The constant that was given. Throws as compute.
  const Value& constant(Index rows, Index cols) const {
    if (value_->rows() != rows || value_->cols() != cols)
      fail("%s is %lld x %lld, %lld x %lld expected", name_, static_cast<long long>(value_->rows()),
           static_cast<long long>(value_->cols()), static_cast<long long>(rows), static_cast<long long>(cols));
    return *value_;
  }

 private:
  const char* name_;
  std::shared_ptr<Value> value_;
  bool given_ = false;  // value_, by the user
  Function function_;
};

}  // namespace nonsmooth::kernel

// In a derived class: an operator of its base which it does not have. Setting it would change nothing.
#define NONSMOOTH_KERNEL_WITHOUT(Base, Name) \
 private:                                    \
  using Base::set##Name;                     \
  using Base::set##Name##Ptr;                \
  using Base::setCompute##Name##Function;    \
  using Base::setCompute##Name

// The accessors every operator of a system or relation has (docs of the spec: common rules for all members):
//   getName()  a copy;  name()  the object itself, shared;  setName(value)  copies;  setNamePtr(pointer)  shares: a change of one
//   is a change of the other;  setComputeNameFunction(callable);  setComputeName("plugin", "function").
// A shared matrix that enters an iteration matrix is read when it is set: call touch() of the system after changing its entries.
#define NONSMOOTH_KERNEL_OPERAND(Name, name, Value, Callable, check)                                        \
 public:                                                                                                    \
  Value get##Name() const {                                                                                 \
    if (!name##_.pointer()) ::nonsmooth::kernel::fail(#Name " is not set");                                 \
    return *name##_.pointer();                                                                              \
  }                                                                                                         \
  const std::shared_ptr<Value>& name() const { return name##_.pointer(); }                                  \
  void set##Name(const Value& value) { check(value, #Name), name##_.set(value), touch(); }                  \
  void set##Name##Ptr(std::shared_ptr<Value> value) {                                                       \
    if (value) check(*value, #Name);                                                                        \
    name##_.setPointer(std::move(value)), touch();                                                          \
  }                                                                                                         \
  void setCompute##Name##Function(Callable function) { name##_.setFunction(std::move(function)), touch(); } \
  void setCompute##Name(const std::string& plugin, const std::string& function) {                           \
    setCompute##Name##Function(::nonsmooth::kernel::loadFunction<Callable>(plugin, function));              \
  }                                                                                                         \
                                                                                                            \
 protected:                                                                                                 \
  ::nonsmooth::kernel::Operand<Value, Callable> name##_ { #Name }

#endif
