// Memory stays what it is, however long a simulation runs.
#include <gtest/gtest.h>
#include <nonsmooth/kernel/kernel.hpp>

#include <cstdio>
#include <memory>

#include "models.hpp"
#include "resident_memory.hpp"

namespace memory_test {

using namespace nonsmooth::kernel;
using test::residentBytes, test::slack;
namespace scenes = nonsmooth::scenes;

// A contact is made and removed in every cycle, and a step done in between now and then.
TEST(Memory, LinkingAndUnlinkingForEver) {
  scenes::Model scene(scenes::beadColumn(10));
  NonSmoothDynamicalSystem& model = scene.model();
  const auto law = std::make_shared<NewtonImpactNSL>(0.0);
  Matrix both = Matrix::Zero(1, 6);
  both << 1, 0, 0, -1, 0, 0;
  const auto relation = std::make_shared<LagrangianLinearTIR>(both, Vector::Constant(1, -0.5));
  const auto cycles = [&](int count) {
    for (int k = 0; k < count; ++k) {
      auto contact = std::make_shared<Interaction>(law, relation);
      model.link(contact, scene.body(k % 10), scene.body((k + 2) % 10));
      if (k % 100 == 0) scene.simulation().computeOneStep();
      model.removeInteraction(*contact);
    }
  };
  cycles(2000);
  const std::size_t records = model.records().size();
  const long before = residentBytes();
  cycles(100000);
  EXPECT_EQ(model.records().size(), records);
  EXPECT_LE(residentBytes(), before + slack);
}

// A ball that bounces and rests, a million steps; prints what is resident after 10^4 and 10^6 of them.
TEST(SlowMemory, AMillionSteps) {
  scenes::Model scene(scenes::ball());
  scenes::Model column(scenes::beadColumn(5));
  const auto steps = [&](long count) {
    for (long k = 0; k < count; ++k)
      for (scenes::Model* model : {&scene, &column}) {
        model->simulation().computeOneStep();
        model->simulation().nextStep();
      }
  };
  steps(10000);
  const long before = residentBytes();
  steps(990000);
  const long after = residentBytes();
  std::printf("resident after 1e4 steps: %ld bytes, after 1e6: %ld\n", before, after);
  EXPECT_LE(after, before + slack);
}

}  // namespace memory_test
