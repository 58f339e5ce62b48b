// Trajectories in HDF5, with contacts in CSV, and on disks that are full.
#include <fcntl.h>
#include <hdf5.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

#include "message_of.hpp"
#include "scratch.hpp"
#include "trajectory.hpp"

namespace output_files_test {

using namespace nonsmooth::kernel;
using test::scratch;
using test::scratchFolder;

// What stands in an HDF5 file.
class Reader {
 public:
  explicit Reader(const std::string& path) : file_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)) {}
  ~Reader() {
    if (file_ >= 0) H5Fclose(file_);
  }
  bool opened() const { return file_ >= 0; }
  bool has(const std::string& name) const { return H5Lexists(file_, name.c_str(), H5P_DEFAULT) > 0; }
  long records() const {
    const hid_t attribute = H5Aopen(file_, "records", H5P_DEFAULT);
    std::int64_t value = -1;
    H5Aread(attribute, H5T_NATIVE_INT64, &value);
    H5Aclose(attribute);
    return static_cast<long>(value);
  }
  // All values, row by row; numbers of any kind.
  std::vector<double> reals(const std::string& name, std::vector<hsize_t>* extents = nullptr) const {
    const hid_t set = H5Dopen2(file_, name.c_str(), H5P_DEFAULT), space = H5Dget_space(set);
    std::vector<hsize_t> shape(static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space))));
    H5Sget_simple_extent_dims(space, shape.data(), nullptr);
    std::vector<double> values(static_cast<std::size_t>(std::max<hssize_t>(0, H5Sget_simple_extent_npoints(space))));
    EXPECT_GE(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0) << name;
    H5Sclose(space);
    H5Dclose(set);
    if (extents != nullptr) *extents = shape;
    return values;
  }

 private:
  hid_t file_;
};

constexpr double radius = 0.1;

void onFloor(double, const double* q, const double*, Contact& contact) {
  contact.normal = Vector3::UnitZ();
  contact.gap = q[2] - radius;
  contact.point1 = contact.point2 = Vector3(q[0], q[1], q[2] - radius);
}

// A rigid sphere that bounces on a floor and, without contact, an oscillator.
struct Scene {
  NonSmoothDynamicalSystem model{0.0, 1.0};
  std::shared_ptr<NewtonEulerDS> sphere;
  std::shared_ptr<LagrangianLinearTIDS> oscillator;
  std::shared_ptr<Interaction> contact;
  TimeDiscretisation instants{0.0, 5e-3};
  MoreauJeanOSI integrator{0.5};
  FrictionContact problem{3};
  std::unique_ptr<TimeStepping> simulation;

  Scene() {
    sphere = makeSphere(0.0);
    oscillator = std::make_shared<LagrangianLinearTIDS>(Vector{{1.0, 0.5}}, Vector::Zero(2), Matrix::Identity(2, 2),
                                                        Matrix{{4.0, -1.0}, {-1.0, 4.0}}, Matrix::Zero(2, 2));
    model.insertDynamicalSystem(sphere);
    model.insertDynamicalSystem(oscillator);
    contact = std::make_shared<Interaction>(std::make_shared<NewtonImpactFrictionNSL>(0.5, 0.0, 0.3, 3),
                                            std::make_shared<NewtonEuler3DR>(onFloor));
    contact->setTag(42);
    model.link(contact, sphere);
    simulation = std::make_unique<TimeStepping>(model, instants, integrator, problem);
  }
  static std::shared_ptr<NewtonEulerDS> makeSphere(double x) {
    Vector q(7), v = Vector::Zero(6);
    q << x, 0, 0.3, 1, 0, 0, 0;
    v[0] = 0.7;
    auto result = std::make_shared<NewtonEulerDS>(q, v, 2.0, 0.008 * Matrix3::Identity());
    result->setFExt(Vector3(0, 0, -9.81 * 2.0));
    return result;
  }
};

TEST(Output, Hdf5HoldsEverything) {
  Scene scene;
  const std::string path = scratch("all.h5");
  std::vector<double> time, q, v, energy, end, impulse, gap;
  {
    Hdf5Trajectory output(path);
    output.addAll(*scene.simulation);
    output.addColumn("height", [&] { return scene.sphere->q()[2]; });
    output.setBufferSize(3000);
    scene.simulation->run([&](const Simulation& s, const StepStatus& status) {
      output.record(s.nextTime());
      time.push_back(s.nextTime());
      for (const double value : scene.sphere->q()) q.push_back(value);
      for (const double value : scene.oscillator->velocity()) v.push_back(value);
      energy.push_back(scene.model.kineticEnergy());
      end.push_back((end.empty() ? 0.0 : end.back()) + static_cast<double>(status.activeContacts));
      if (status.activeContacts == 0) return;
      gap.push_back(scene.contact->y(0)[0]);
      const auto& relation = static_cast<const NewtonEulerContactR&>(scene.contact->relation());
      const VectorView lambda = scene.contact->lambda(1);
      const Vector3 p = lambda[0] * relation.contact().normal + lambda[1] * relation.tangent1() + lambda[2] * relation.tangent2();
      impulse.insert(impulse.end(), p.begin(), p.end());
    });
    EXPECT_EQ(output.records(), 200);
    EXPECT_GT(output.flushedRecords(), 0);
    EXPECT_THROW(output.addColumn("late", [] { return 0.0; }), Error);
  }
  Reader file(path);
  ASSERT_TRUE(file.opened());
  EXPECT_EQ(file.records(), 200);
  EXPECT_EQ(file.reals("/time"), time);
  std::vector<hsize_t> shape;
  EXPECT_EQ(file.reals("/systems/NewtonEulerDS_7/q", &shape), q);
  EXPECT_EQ(shape, (std::vector<hsize_t>{200, 1, 7}));
  EXPECT_EQ(file.reals("/systems/LagrangianLinearTIDS_2/v"), v);
  EXPECT_EQ(file.reals("/systems/LagrangianLinearTIDS_2/log"), (std::vector<double>{0, 0, 1}));
  EXPECT_EQ(file.reals("/columns/kinetic_energy"), energy);
  EXPECT_EQ(file.reals("/contacts/end"), end);
  EXPECT_EQ(file.reals("/contacts/gap"), gap);
  EXPECT_EQ(file.reals("/contacts/impulse"), impulse);
  EXPECT_GT(gap.size(), 5u);
  for (const double tag : file.reals("/contacts/tag")) EXPECT_EQ(tag, 42);
  for (const double certified : file.reals("/steps/certified")) EXPECT_EQ(certified, 1);
  EXPECT_TRUE(file.has("/steps/outcome"));
  // Energy is kept between impacts.
  const std::vector<double> potential = file.reals("/columns/potential_energy");
  EXPECT_NEAR(energy[10] + potential[10], energy[20] + potential[20], 1e-12);
  EXPECT_NEAR(energy[0] + potential[0], 0.5 * 2 * 0.49 + 2 * 9.81 * 0.3 + 0.5 * (4 + 1 - 2 * 0.5), 1e-12);
}

TEST(Output, SystemsAndContactsComeAndGo) {
  Scene scene;
  const std::string path = scratch("comings.h5");
  {
    Hdf5Trajectory output(path);
    output.addSystems(*scene.simulation, true);
    output.addContacts(*scene.simulation, ContactChoice::All);
    std::shared_ptr<NewtonEulerDS> guest;
    std::shared_ptr<FirstOrderLinearTIDS> other;
    MoreauJeanOSI unused;
    for (int k = 0; k < 60; ++k) {
      if (k == 20) scene.model.insertDynamicalSystem(guest = Scene::makeSphere(5.0));
      if (k == 30) {
        scene.model.removeInteraction(*scene.contact);
        scene.model.removeDynamicalSystem(*scene.sphere);
      }
      if (k == 40) scene.model.insertDynamicalSystem(scene.sphere);
      scene.simulation->computeOneStep();
      output.record(scene.simulation->nextTime());
    }
    output.flush();
    EXPECT_EQ(output.flushedRecords(), 60);
  }
  Reader file(path);
  std::vector<hsize_t> shape;
  const std::vector<double> q = file.reals("/systems/NewtonEulerDS_7/q", &shape);
  ASSERT_EQ(shape, (std::vector<hsize_t>{60, 2, 7}));
  const auto at = [&](std::size_t record, std::size_t place) { return q[(record * 2 + place) * 7]; };
  for (std::size_t k = 0; k < 60; ++k) {
    EXPECT_EQ(std::isnan(at(k, 0)), k >= 30 && k < 40) << k;
    EXPECT_EQ(std::isnan(at(k, 1)), k < 20) << k;
  }
  EXPECT_EQ(file.reals("/systems/NewtonEulerDS_7/log"), (std::vector<double>{0, 0, 0, 20, 1, 2, 30, 0, -1, 40, 0, 0}));
  EXPECT_EQ(file.reals("/systems/NewtonEulerDS_7/force")[2], -9.81 * 2.0);
  const std::vector<double> end = file.reals("/contacts/end");
  EXPECT_EQ(end.front(), 1);
  EXPECT_EQ(end[29], 30);
  EXPECT_EQ(end.back(), 30);
}

TEST(Output, NewShapesStartWhereTheyAppear) {
  NonSmoothDynamicalSystem model(0.0);
  auto one = std::make_shared<LagrangianLinearTIDS>(Vector::Zero(1), Vector::Ones(1), Matrix::Identity(1, 1));
  auto two = std::make_shared<LagrangianLinearTIDS>(Vector::Zero(2), Vector::Ones(2), Matrix::Identity(2, 2));
  model.insertDynamicalSystem(one);
  TimeStepping simulation(model, std::make_shared<TimeDiscretisation>(0.0, 0.1));
  simulation.insertIntegrator(std::make_shared<MoreauJeanOSI>(0.5));
  const std::string path = scratch("shapes.h5");
  {
    Hdf5Trajectory output(path);
    output.addSystems(simulation);
    for (int k = 0; k < 8; ++k) {
      if (k == 5) model.insertDynamicalSystem(two);
      simulation.computeOneStep();
      output.record(simulation.nextTime());
    }
  }
  Reader file(path);
  std::vector<hsize_t> shape;
  const std::vector<double> q = file.reals("/systems/LagrangianLinearTIDS_2/q", &shape);
  ASSERT_EQ(shape, (std::vector<hsize_t>{8, 1, 2}));
  EXPECT_TRUE(std::isnan(q[4 * 2]));
  EXPECT_NEAR(q[5 * 2], 0.1, 1e-15);
  EXPECT_NEAR(q[7 * 2 + 1], 0.3, 1e-15);
}

// Between two records a body goes and another comes, at the same place in the model and at the same address; then one of another
// size. Each is told in the log, and stands in the array of its size.
TEST(Output, ABodyIsNotTakenForAnother) {
  std::optional<LagrangianLinearTIDS> body;  // outlives the model
  NonSmoothDynamicalSystem model(0.0);
  TimeStepping simulation(model, std::make_shared<TimeDiscretisation>(0.0, 0.1));
  simulation.insertIntegrator(std::make_shared<MoreauJeanOSI>(0.5));
  const auto replace = [&](Index size) {
    if (body) model.removeDynamicalSystem(*body);
    body.emplace(Vector::Constant(size, 3.0), Vector::Zero(size), Matrix::Identity(size, size));
    model.insertDynamicalSystem(*body);
  };
  replace(1);
  const std::string path = scratch("successors.h5");
  {
    Hdf5Trajectory output(path);
    output.addSystems(simulation);
    for (int k = 0; k < 6; ++k) {
      if (k == 2) replace(1);
      if (k == 4) replace(2);
      simulation.computeOneStep();
      output.record(simulation.nextTime());
    }
  }
  Reader file(path);
  EXPECT_EQ(file.reals("/systems/LagrangianLinearTIDS_1/log"), (std::vector<double>{0, 0, 0, 2, 0, -1, 2, 0, 0, 4, 0, -1}));
  ASSERT_TRUE(file.has("/systems/LagrangianLinearTIDS_2"));
  EXPECT_EQ(file.reals("/systems/LagrangianLinearTIDS_2/log"), (std::vector<double>{4, 0, 0}));
  std::vector<hsize_t> shape;
  const std::vector<double> small = file.reals("/systems/LagrangianLinearTIDS_1/q", &shape);
  ASSERT_EQ(shape, (std::vector<hsize_t>{6, 1, 1}));
  EXPECT_EQ(small[3], 3.0);
  EXPECT_TRUE(std::isnan(small[4]));
  const std::vector<double> large = file.reals("/systems/LagrangianLinearTIDS_2/q", &shape);
  ASSERT_EQ(shape, (std::vector<hsize_t>{6, 1, 2}));
  EXPECT_TRUE(std::isnan(large[7]));
  EXPECT_EQ(large[8], 3.0);
}

// The largest size of files of this process, for a while.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_;
  void (*handler_)(int);
};

TEST(Output, WhatIsOnAFullDiskStaysReadable) {
  const std::string path = scratch("full.h5");
  for (const rlim_t limit : {900'000U, 1'500'000U, 3'000'000U}) {
    Scene scene;
    scene.model.setT(1000.0);
    long flushed = 0;
    {
      const FileSizeLimit full(limit);
      Hdf5Trajectory output(path);
      output.addAll(*scene.simulation);
      output.setBufferSize(20000);
      std::string message;
      try {
        scene.simulation->run([&](const Simulation& s, const StepStatus&) { output.record(s.nextTime()); });
      } catch (const Error& error) {
        message = error.what();
      }
      flushed = output.flushedRecords();
      EXPECT_NE(message.find(path), std::string::npos) << message;
      EXPECT_NE(message.find(std::to_string(flushed) + " records are in the file"), std::string::npos) << message;
      EXPECT_THROW(output.record(0.0), Error);
      EXPECT_THROW(output.flush(), Error);
    }
    ASSERT_GT(flushed, 100);
    Reader file(path);
    ASSERT_TRUE(file.opened());
    EXPECT_EQ(file.records(), flushed);
    const std::vector<double> time = file.reals("/time");
    ASSERT_EQ(time.size(), static_cast<std::size_t>(flushed));
    EXPECT_NEAR(time.back(), 5e-3 * static_cast<double>(flushed), 1e-9);
    EXPECT_EQ(file.reals("/systems/NewtonEulerDS_7/q").size(), 7 * time.size());
    EXPECT_EQ(file.reals("/contacts/end").size(), time.size());
    EXPECT_LE(std::filesystem::file_size(path), limit);
  }
  EXPECT_THROW(Hdf5Trajectory("/no/such/folder/file.h5"), Error);
}

// What HDF5 could not write it would complain of at the end of the program.
TEST(Output, Hdf5IsNotBegunWhereItCannotBeWritten) {
  const std::string path = scratch("begun.h5"), device = scratch("device.h5");
  {
    const FileSizeLimit full(1000);
    const std::string message = test::messageOf([&] { Hdf5Trajectory output(path); });
    EXPECT_NE(message.find(path + ": "), std::string::npos) << message;
    EXPECT_NE(message.find("no room for an HDF5 file"), std::string::npos) << message;
  }
  std::filesystem::create_symlink("/dev/null", device);
  const std::string message = test::messageOf([&] { Hdf5Trajectory output(device); });
  EXPECT_NE(message.find(device + ": not a regular file"), std::string::npos) << message;
}

TEST(Output, CsvEndsInAWholeRowOnAFullDisk) {
  const std::string path = scratch("full.csv");
  const auto content = [&] { return test::contentsOf(path); };
  CsvTrajectory output(path);
  output.addColumn("third", [] { return 1.0 / 3; });
  std::string whole = "t,third\n";
  {
    const FileSizeLimit full(1000);
    EXPECT_THROW(
        for (int k = 0; k < 100; ++k) {
          output.record(k);
          whole += std::to_string(k) + ",0.3333333333333333\n";
        },
        Error);
    EXPECT_GT(whole.size(), 970u);
    EXPECT_EQ(content(), whole);
  }
  // And goes on from there.
  output.record(100);
  EXPECT_EQ(content(), whole + "100,0.3333333333333333\n");
}

TEST(Output, NamesOfColumnsAreCheckedWithoutAFile) {
  const std::string path = scratch("unopened.csv");
  EXPECT_NO_THROW(checkTrajectory(path, {"a", "b"}));
  EXPECT_EQ(test::messageOf([&] { checkTrajectory(path, {"a", "b", "a"}); }), path + ": there are two columns named \"a\"");
  EXPECT_EQ(test::messageOf([&] { checkTrajectory(path, {"a/b"}); }), path + ": no column can be named \"a/b\"");
  EXPECT_THROW(checkTrajectory(scratch("unopened.txt"), {}), Error);
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Output, PlotsAreReplacedWholeOrLeftAlone) {
  const std::string path = scratch("plot.svg"), link = scratch("link.svg");
  std::filesystem::create_symlink("plot.svg", link);  // of a file that is not there yet
  TimePlot plot("a title");
  plot.write(link);
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  const auto size = std::filesystem::file_size(path);
  {
    const FileSizeLimit full(100);
    EXPECT_THROW(plot.write(link), Error);
  }
  EXPECT_EQ(std::filesystem::file_size(path), size);
}

// Two threads that write to one file: it is what one of them has written.
TEST(Output, PlotsOfTwoThreadsAreNotMixed) {
  const std::filesystem::path folder = scratchFolder("shared");
  const std::string path = folder / "plot.svg";
  const TimePlot plots[] = {TimePlot("a title"), TimePlot(std::string(20000, 'x'))};
  const auto write = [&path](const TimePlot& plot) {
    for (int k = 0; k < 300; ++k) plot.write(path);
  };
  std::thread other([&] { EXPECT_NO_THROW(write(plots[1])); });
  EXPECT_NO_THROW(write(plots[0]));
  other.join();
  const std::string content = test::contentsOf(path);
  EXPECT_TRUE(content == plots[0].svg() || content == plots[1].svg());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
}

TEST(Output, PipesAreWrittenToAndStay) {
  const std::string path = scratch("pipe.svg");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const int pipe = open(path.c_str(), O_RDWR | O_NONBLOCK);
  const TimePlot plot("a title");
  plot.write(path);
  EXPECT_TRUE(std::filesystem::is_fifo(path));
  std::string content(plot.svg().size(), ' ');
  EXPECT_EQ(read(pipe, content.data(), content.size()), static_cast<ssize_t>(content.size()));
  EXPECT_EQ(content, plot.svg());
  close(pipe);
}

TEST(Output, WhatWasFlushedOutlivesAProgramThatEndsAtOnce) {
  const std::string path = scratch("crash.h5");
  const pid_t child = fork();
  if (child == 0) {
    Scene scene;
    Hdf5Trajectory output(path);
    output.addAll(*scene.simulation);
    for (int k = 0; k < 60; ++k) {
      scene.simulation->computeOneStep();
      output.record(scene.simulation->nextTime());
      if (k == 49) output.flush();
    }
    std::_Exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  ASSERT_EQ(status, 0);
  Reader file(path);
  ASSERT_TRUE(file.opened());
  EXPECT_EQ(file.records(), 50);
  EXPECT_EQ(file.reals("/time").size(), 50u);
  EXPECT_EQ(file.reals("/systems/LagrangianLinearTIDS_2/q").size(), 100u);
}

TEST(Output, WritingGoesOnWhenThereIsRoomAgain) {
  const std::string path = scratch("again.h5");
  double value = 0;
  {
    Hdf5Trajectory output(path);
    output.addColumn("value", [&] { return value; });
    const auto recordSome = [&](int count) {
      for (int k = 0; k < count; ++k) value += 1, output.record(value);
    };
    recordSome(10);
    output.flush();
    {
      const FileSizeLimit full(20'000);
      EXPECT_THROW((recordSome(2000), output.flush()), Error);
      EXPECT_THROW(recordSome(1), Error);
      EXPECT_EQ(output.flushedRecords(), 10);
      --value;
    }
    output.flush();
    recordSome(1);
  }
  Reader file(path);
  EXPECT_EQ(file.records(), 2011);
  EXPECT_EQ(file.reals("/columns/value"), file.reals("/time"));
  EXPECT_EQ(file.reals("/time").back(), 2011);
}

TEST(Output, Hdf5KeepsWholeRecordsWhenAColumnThrows) {
  const std::string path = scratch("throws.h5");
  {
    Hdf5Trajectory output(path);
    int calls = 0;
    output.addColumn("one", [] { return 1.0; });
    output.addColumn("two", [&]() -> double {
      if (++calls == 3) fail("the third call");
      return 2.0;
    });
    for (int k = 0; k < 5; ++k) {
      if (k == 2)
        EXPECT_THROW(output.record(k), Error);
      else
        output.record(k);
    }
  }
  Reader file(path);
  EXPECT_EQ(file.records(), 4);
  EXPECT_EQ(file.reals("/time"), (std::vector<double>{0, 1, 3, 4}));
  EXPECT_EQ(file.reals("/columns/one").size(), 4u);
}

// The model alone keeps a sphere; once it has left, the object is gone and its columns have no numbers.
TEST(Output, CsvHasNoNumbersOfASystemThatHasLeft) {
  const std::string path = scratch("left.csv"), frames = scratch("left");
  NonSmoothDynamicalSystem model(0.0);
  auto sphere = std::make_shared<NewtonEulerDS>(Vector{{1, 2, 3, 1, 0, 0, 0}}, Vector::Zero(6), 1.0, Matrix3::Identity());
  auto stays = std::make_shared<LagrangianLinearTIDS>(Vector::Ones(1), Vector::Zero(1), Matrix::Identity(1, 1));
  model.insertDynamicalSystem(sphere);
  model.insertDynamicalSystem(stays);
  TimeDiscretisation instants(0.0, 0.1);
  MoreauJeanOSI integrator(0.5);
  FrictionContact problem(3);
  TimeStepping simulation(model, instants, integrator, problem);
  CsvTrajectory output(path);
  output.addSystems(simulation, true);
  VtkScene scene(frames);
  scene.addBody(*sphere, VtkShape::box(1, 1, 1));
  output.record(0.0);
  const std::weak_ptr<NewtonEulerDS> object = sphere;
  model.removeDynamicalSystem(*sphere);
  sphere.reset();
  ASSERT_TRUE(object.expired());
  output.record(0.1);
  scene.write(0.1);
  std::ifstream file(path);
  std::string names, before, after;
  std::getline(file, names);
  std::getline(file, before);
  std::getline(file, after);
  EXPECT_EQ(before.find("0,1,2,3,1,0,0,0,"), 0u) << before;
  std::string none = "0.1";
  for (int k = 0; k < 7 + 6 + 2 * 6; ++k) none += ",nan";
  EXPECT_EQ(after, none + ",1,0,0,0") << names;
}

TEST(Output, CsvHasContactsInAFileBeside) {
  Scene scene;
  const std::string path = scratch("all.csv");
  {
    const std::unique_ptr<Trajectory> output = createTrajectory(path);
    output->addAll(*scene.simulation);
    for (int k = 0; k < 100; ++k) {
      scene.simulation->computeOneStep();
      output->record(scene.simulation->nextTime());
    }
  }
  std::ifstream rows(path), contacts(scratch("all_contacts.csv"));
  std::string line, header;
  long count = -1, contact_count = 0;
  while (std::getline(rows, line)) ++count;
  EXPECT_EQ(count, 100);
  std::getline(contacts, header);
  EXPECT_EQ(header.substr(0, 18), "t,interaction,gene");
  const auto commas = std::count(header.begin(), header.end(), ',');
  while (std::getline(contacts, line)) {
    ++contact_count;
    EXPECT_EQ(std::count(line.begin(), line.end(), ','), commas) << line;
  }
  EXPECT_GT(contact_count, 1);
  EXPECT_THROW(createTrajectory("trajectory.txt"), Error);
}

TEST(Output, PotentialsThatAreNotKnownAreNotGuessed) {
  LagrangianLinearTIDS system(Vector{{1.0, 2.0}}, Vector::Zero(2), Matrix::Identity(2, 2), Matrix{{2.0, 1.0}, {0.0, 2.0}},
                              Matrix::Zero(2, 2));
  EXPECT_FALSE(system.potentialEnergy());
  system.setK(Matrix{{2.0, 1.0}, {1.0, 2.0}});
  EXPECT_DOUBLE_EQ(system.potentialEnergy().value(), 0.5 * (2 + 2 * 2 + 8));
  system.setFExt(Vector{{0.0, -3.0}});
  EXPECT_DOUBLE_EQ(system.potentialEnergy().value(), 7 + 6);
  system.setComputeFExtFunction([](double, VectorRef out, VectorRef) { out.setOnes(); });
  EXPECT_FALSE(system.potentialEnergy());
}

}  // namespace output_files_test
