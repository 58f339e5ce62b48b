// How objects of a model refer to each other.
#ifndef NONSMOOTH_KERNEL_LINK_HPP
#define NONSMOOTH_KERNEL_LINK_HPP

#include <concepts>
#include <memory>

#include "nonsmooth/kernel/error.hpp"

namespace nonsmooth::kernel {

// A reference made from a std::shared_ptr (shares the object), or from a pointer or reference (borrows it: the object must then
// outlive the user of the link). Never null.
template <class T>
class Link {
 public:
  // Shares the object.
  template <std::derived_from<T> U>
  Link(std::shared_ptr<U> object) : object_(std::move(object)) {
    require();
  }
  // Borrows the object, which must outlive the link.
  template <std::derived_from<T> U>
  Link(U* object) : object_(std::shared_ptr<void>(), object) {
    require();
  }
  template <std::derived_from<T> U>
  Link(U& object) : object_(std::shared_ptr<void>(), &object) {}

  // The object.
  T* operator->() const { return object_.get(); }
  T& operator*() const { return *object_; }
  T* get() const { return object_.get(); }
  const std::shared_ptr<T>& shared() const { return object_; }

 private:
  void require() const {
    if (!object_) fail("a null pointer was given where an object of the model is needed");
  }
  std::shared_ptr<T> object_;
};

}  // namespace nonsmooth::kernel
#endif
