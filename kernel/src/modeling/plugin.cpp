#include "nonsmooth/kernel/plugin.hpp"

#include <dlfcn.h>

#include <memory>

#include "nonsmooth/kernel/functions.hpp"

namespace nonsmooth::kernel {
namespace {

std::shared_ptr<void> openLibrary(const std::string& plugin) {
  // Complete names end in .so, or in .so and a version.
  std::string path = plugin;
  if (!path.ends_with(".so") && path.find(".so.") == std::string::npos) path += ".so";
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr && path.find('/') == std::string::npos) handle = dlopen(("./" + path).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) fail("plugin %s cannot be loaded: %s", plugin.c_str(), dlerror());
  return {handle, [](void* library) { dlclose(library); }};
}

// The function, as long as the library is held, once its signature has been compared.
template <class Signature>
Signature* find(void* library, const std::string& plugin, const std::string& function, const char* wanted) {
  const auto* signature = static_cast<const char*>(dlsym(library, (function + "_signature").c_str()));
  const void* pointer = dlsym(library, (function + "_pointer").c_str());
  if (signature == nullptr || pointer == nullptr)
    fail("plugin %s exports no function %s: it needs a NONSMOOTH_PLUGIN macro (plugin.hpp)", plugin.c_str(), function.c_str());
  if (std::string(signature) != wanted)
    fail("function %s of plugin %s is a %s, a %s is needed", function.c_str(), plugin.c_str(), signature, wanted);
  return *static_cast<Signature* const*>(pointer);
}

int size(ConstVectorRef x) { return static_cast<int>(x.size()); }

}  // namespace

std::pair<std::string, std::string> splitFunctionName(const std::string& name) {
  const std::size_t colon = name.rfind(':');
  if (colon == std::string::npos) fail("\"%s\" names no function of a plugin: \"plugin:function\" does", name.c_str());
  return {name.substr(0, colon), name.substr(colon + 1)};
}

// One specialisation per pair of a C signature and the callable it becomes. Out is VectorRef or MatrixRef.
#define NONSMOOTH_KERNEL_LOAD(Function, Signature, Parameters, ...)                                             \
  template <>                                                                                                   \
  Function loadFunction<Function>(const std::string& plugin, const std::string& function) {                     \
    auto library = openLibrary(plugin);                                                                         \
    auto* call = find<plugin::Signature>(library.get(), plugin, function, #Signature);                          \
    return [library, call] Parameters { call(__VA_ARGS__, out.data(), static_cast<int>(z.size()), z.data()); }; \
  }

NONSMOOTH_KERNEL_LOAD(TimeToVector, TimeFunction, (double t, VectorRef out, VectorRef z), t, size(out))
NONSMOOTH_KERNEL_LOAD(TimeToMatrix, TimeFunction, (double t, MatrixRef out, VectorRef z), t, static_cast<int>(out.rows()))
NONSMOOTH_KERNEL_LOAD(StateToVector, StateFunction, (double t, ConstVectorRef x, VectorRef out, VectorRef z), t, size(x),
                      x.data())
NONSMOOTH_KERNEL_LOAD(StateToMatrix, StateFunction, (double t, ConstVectorRef x, MatrixRef out, VectorRef z), t, size(x),
                      x.data())
NONSMOOTH_KERNEL_LOAD(MotionToVector, MotionFunction, (double t, ConstVectorRef q, ConstVectorRef v, VectorRef out, VectorRef z),
                      t, size(q), q.data(), v.data())
NONSMOOTH_KERNEL_LOAD(MotionToMatrix, MotionFunction, (double t, ConstVectorRef q, ConstVectorRef v, MatrixRef out, VectorRef z),
                      t, size(q), q.data(), v.data())
NONSMOOTH_KERNEL_LOAD(RateToMatrix, MotionFunction, (ConstVectorRef q, ConstVectorRef v, MatrixRef out, VectorRef z), 0.0,
                      size(q), q.data(), v.data())
NONSMOOTH_KERNEL_LOAD(ConfigurationToVector, ConfigurationFunction, (ConstVectorRef q, VectorRef out, VectorRef z), size(q),
                      q.data())
NONSMOOTH_KERNEL_LOAD(ConfigurationToMatrix, ConfigurationFunction, (ConstVectorRef q, MatrixRef out, VectorRef z), size(q),
                      q.data())

}  // namespace nonsmooth::kernel
