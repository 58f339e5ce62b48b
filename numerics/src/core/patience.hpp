// Asked in the midst of long work, such as a projection on a large polyhedron, whether to go on.
#pragma once

namespace nonsmooth {

class Patience {
 public:
  virtual bool lasts() = 0;

 protected:
  ~Patience() = default;
};

}  // namespace nonsmooth
