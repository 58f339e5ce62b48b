// Tables of HDF5 files: names that two of them would have, rows that get wider, files that are there already.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>

#include "message_of.hpp"
#include "nonsmooth/kernel/kernel.hpp"
#include "one_entry.hpp"
#include "scratch.hpp"

namespace output_tables_test {

using namespace nonsmooth::kernel;
using test::messageOf;
using test::one;
using test::scratch;
using test::square;

struct Table {
  std::vector<hsize_t> shape;
  std::vector<double> values;
};

// Numbers of any kind; an empty shape where there is no such array.
Table read(const std::string& path, const std::string& name) {
  Table result;
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) return result;
  H5E_BEGIN_TRY {
    const hid_t set = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
    if (set >= 0) {
      const hid_t space = H5Dget_space(set);
      result.shape.resize(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
      H5Sget_simple_extent_dims(space, result.shape.data(), nullptr);
      result.values.resize(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
      H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, result.values.data());
      H5Sclose(space);
      H5Dclose(set);
    }
  }
  H5E_END_TRY
  H5Fclose(file);
  return result;
}

using Shape = std::vector<hsize_t>;

// Classes of the user's own that have one name: of the first and of the second order.
struct Tank : FirstOrderLinearTIDS {
  explicit Tank(double x) : FirstOrderLinearTIDS(Vector::Constant(2, x), Matrix::Zero(2, 2)) {}
  const char* className() const override { return "Part"; }
};
struct Cart : LagrangianLinearTIDS {
  explicit Cart(double q) : LagrangianLinearTIDS(Vector::Constant(2, q), Vector::Constant(2, -q), Matrix::Identity(2, 2)) {}
  const char* className() const override { return "Part"; }
};

TEST(OutputTables, ClassesOfOneNameHaveTablesOfTheirOwn) {
  const std::string path = scratch("names.h5");
  NonSmoothDynamicalSystem model(0.0);
  TimeStepping simulation(model, std::make_shared<TimeDiscretisation>(0.0, 0.125));
  simulation.insertIntegrator(std::make_shared<MoreauJeanOSI>());
  const auto euler = std::make_shared<EulerMoreauOSI>(0.5);
  const auto cart = std::make_shared<Cart>(1), second = std::make_shared<Cart>(2);
  const auto tank = std::make_shared<Tank>(3), other = std::make_shared<Tank>(4);
  model.insertDynamicalSystem(cart);
  model.insertDynamicalSystem(tank);
  simulation.associate(euler, *tank);
  {
    Hdf5Trajectory output(path);
    output.addSystems(simulation);
    output.record(0);
    model.insertDynamicalSystem(other);
    model.insertDynamicalSystem(second);
    output.record(1);
    output.flush();
    EXPECT_EQ(output.flushedRecords(), 2);
  }
  const Table q = read(path, "/systems/Part_2/q"), v = read(path, "/systems/Part_2/v"), x = read(path, "/systems/Part_2_2/x");
  ASSERT_EQ(q.shape, (Shape{2, 2, 2}));
  ASSERT_EQ(v.shape, (Shape{2, 2, 2}));
  ASSERT_EQ(x.shape, (Shape{2, 2, 2}));
  EXPECT_EQ(q.values[0], 1);
  EXPECT_TRUE(std::isnan(q.values[2]));
  EXPECT_EQ(q.values[6], 2);
  EXPECT_EQ(v.values[7], -2);
  EXPECT_EQ(x.values[0], 3);
  EXPECT_TRUE(std::isnan(x.values[3]));
  EXPECT_EQ(x.values[6], 4);
  EXPECT_EQ(read(path, "/systems/Part_2/log").values, (std::vector<double>{0, 0, 0, 1, 1, 3}));
  EXPECT_EQ(read(path, "/systems/Part_2_2/log").values, (std::vector<double>{0, 0, 1, 1, 1, 2}));
}

// Contacts of one row, then one of five, then of one again: what has been recorded stays, nan stands where there are no rows.
TEST(OutputTables, ContactsGetMoreRows) {
  NonSmoothDynamicalSystem model(0.0);
  Vector q = Vector::Zero(7);
  q[3] = 1;
  auto sphere = std::make_shared<NewtonEulerDS>(q, Vector::Zero(6), 1.0, Matrix3::Identity());
  auto bead = std::make_shared<LagrangianLinearTIDS>(one(0), one(0), square(1));
  bead->setFExt(one(-2));
  model.insertDynamicalSystem(bead);
  model.insertDynamicalSystem(sphere);
  const auto touch = [](double, const double* pose, const double*, Contact& contact) {
    contact.normal = Vector3::UnitZ();
    contact.gap = pose[2];
    contact.point1 = contact.point2 = Vector3(pose[0], pose[1], pose[2]);
  };
  auto narrow =
      std::make_shared<Interaction>(std::make_shared<EqualityConditionNSL>(1), std::make_shared<LagrangianLinearTIR>(square(1)));
  auto wide = std::make_shared<Interaction>(std::make_shared<EqualityConditionNSL>(5), std::make_shared<NewtonEuler5DR>(touch));
  model.link(narrow, bead);
  TimeDiscretisation instants(0.0, 0.125);
  MoreauJeanOSI integrator;
  Equality problem;
  TimeStepping simulation(model, instants, integrator, problem);
  const std::string path = scratch("wider.h5");
  {
    Hdf5Trajectory output(path);
    output.addContacts(simulation, ContactChoice::All);
    for (int k = 0; k < 9; ++k) {
      if (k == 3) {
        sphere->setFExt(Vector3(0, 0, -1));
        model.link(wide, sphere);
      }
      if (k == 6) model.removeInteraction(*wide);
      simulation.computeOneStep();
      output.record(simulation.nextTime());
      if (k == 1) output.flush();
    }
  }
  EXPECT_EQ(read(path, "/contacts/end").values, (std::vector<double>{1, 2, 3, 5, 7, 9, 10, 11, 12}));
  EXPECT_EQ(read(path, "/contacts/rows").values, (std::vector<double>{1, 1, 1, 1, 5, 1, 5, 1, 5, 1, 1, 1}));
  const Table multiplier = read(path, "/contacts/multiplier"), velocity = read(path, "/contacts/velocity");
  ASSERT_EQ(multiplier.shape, (Shape{12, 5}));
  ASSERT_EQ(velocity.shape, (Shape{12, 5}));
  for (std::size_t row = 0; row < 12; ++row) {
    const bool is_wide = row == 4 || row == 6 || row == 8;
    EXPECT_NEAR(multiplier.values[5 * row], is_wide ? 0.125 : 0.25, 1e-12) << row;
    EXPECT_NEAR(velocity.values[5 * row], 0, 1e-12) << row;
    for (std::size_t k = 1; k < 5; ++k) {
      EXPECT_EQ(std::isnan(multiplier.values[5 * row + k]), !is_wide) << row << ", " << k;
      EXPECT_EQ(std::isnan(velocity.values[5 * row + k]), !is_wide) << row << ", " << k;
    }
  }
}

// A file of that name, of whatever content, is replaced.
TEST(OutputTables, FilesThatAreThereAreReplaced) {
  for (const char* ending : {".h5", ".csv"}) {
    const std::string path = scratch(std::string("there") + ending);
    std::ofstream(path) << std::string(300000, 'x');
    for (const int records : {500, 2}) {
      const std::unique_ptr<Trajectory> output = createTrajectory(path);
      output->addColumn(records == 500 ? "first" : "second", [] { return 1.0; });
      for (int k = 0; k < records; ++k) output->record(k);
    }
    if (path.ends_with(".csv")) {
      EXPECT_EQ(test::contentsOf(path), "t,second\n0,1\n1,1\n");
    } else {
      EXPECT_EQ(read(path, "/time").values, (std::vector<double>{0, 1}));
      EXPECT_EQ(read(path, "/columns/second").values, (std::vector<double>{1, 1}));
      EXPECT_TRUE(read(path, "/columns/first").shape.empty());
    }
  }
}

// One that is being written is refused, and stays whole.
TEST(OutputTables, AFileThatIsBeingWrittenIsRefused) {
  const std::string path = scratch("open.h5");
  {
    Hdf5Trajectory output(path);
    output.addColumn("one", [] { return 1.0; });
    for (int k = 0; k < 1000; ++k) output.record(k);
    output.flush();
    EXPECT_EQ(messageOf([&] { Hdf5Trajectory second(path); }).find(path + ": "), 0u);
    for (int k = 1000; k < 2000; ++k) output.record(k);
  }
  const Table time = read(path, "/time"), column = read(path, "/columns/one");
  ASSERT_EQ(time.shape, (Shape{2000}));
  EXPECT_EQ(time.values[1999], 1999);
  EXPECT_EQ(column.values, std::vector<double>(2000, 1.0));
}

TEST(OutputTables, FoldersAreNoFiles) {
  const std::string folder = test::scratchFolder("folder.h5").string();
  EXPECT_EQ(messageOf([&] { Hdf5Trajectory output(folder); }), folder + ": Is a directory");
  EXPECT_TRUE(std::filesystem::is_directory(folder));
}

// What was asked for first was left out.
TEST(OutputTables, AreOfOneSimulation) {
  NonSmoothDynamicalSystem model(0.0);
  model.insertDynamicalSystem(std::make_shared<LagrangianLinearTIDS>(one(1), one(2), square(1)));
  TimeStepping first(model, std::make_shared<TimeDiscretisation>(0.0, 0.125)),
      second(model, std::make_shared<TimeDiscretisation>(0.0, 0.125));
  const std::string path = scratch("one.h5");
  {
    Hdf5Trajectory output(path);
    output.addSystems(first);
    output.addContacts(first);
    output.addSteps(first);
    EXPECT_EQ(messageOf([&] { output.addSystems(second); }), path + ": the systems of one simulation are recorded, not of two");
    EXPECT_EQ(messageOf([&] { output.addContacts(second); }), path + ": the contacts of one simulation are recorded, not of two");
    EXPECT_EQ(messageOf([&] { output.addSteps(second); }), path + ": the steps of one simulation are recorded, not of two");
    output.addSystems(first, true);
    output.record(0);
  }
  EXPECT_EQ(read(path, "/systems/LagrangianLinearTIDS_1/q").values, std::vector<double>{1});
  EXPECT_EQ(read(path, "/systems/LagrangianLinearTIDS_1/force").values, std::vector<double>{0});
  const std::string text = scratch("one.csv");
  CsvTrajectory output(text);
  output.addContacts(first);
  EXPECT_EQ(messageOf([&] { output.addContacts(second); }), text + ": the contacts of one simulation are recorded, not of two");
}

// What HDF5 cannot name is refused before anything is recorded.
TEST(OutputTables, NamesThatHdf5DoesNotHave) {
  const std::string path = scratch("refused_names.h5");
  Hdf5Trajectory output(path);
  const auto value = [] { return 1.0; };
  EXPECT_EQ(messageOf([&] { output.addColumn(".", value); }), path + ": no column can be named \".\"");
  EXPECT_EQ(messageOf([&] { output.addColumn(std::string("a\0b", 3), value); }), path + ": no column can be named \"a\"");
  output.addColumn("a", value);
  output.addColumn("..", value);
  output.record(0);
  output.flush();
  EXPECT_EQ(output.flushedRecords(), 1);
}

}  // namespace output_tables_test
