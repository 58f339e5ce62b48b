// Layout: docs/formats.md. HDF5 is called by flush() alone, and only after room has been reserved for all it may write: a failure
// then leaves the file as the last flush left it.
#include "nonsmooth/kernel/hdf5_trajectory.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <limits>

#include "io/disk_space.hpp"
#include "io/hdf5_series.hpp"

namespace nonsmooth::kernel {
namespace {

using Type = Hdf5Series::Type;
using Clock = std::chrono::steady_clock;

constexpr hsize_t file_metadata = 65536;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Systems of one class and size: a place for each in the rows of arrays [records, places, size].
struct SystemTable {
  std::string name;
  Index nq = 0, nv = 0;
  std::vector<const DynamicalSystem*> places;
  std::vector<std::size_t> free;
  Hdf5Series* log = nullptr;  // rows record, place, number of the system, or -1 where it has left
  Hdf5Series *q = nullptr, *v = nullptr, *force = nullptr, *input = nullptr;
};

// Where a system stands. Its number alone does not name it, nor does its address: both are given to others.
struct Seat {
  SystemTable* table = nullptr;  // null: the number is not in use
  std::size_t place = 0;
  std::uint32_t generation = 0;
};

struct ContactTable {
  Hdf5Series *end, *interaction, *generation, *tag, *law, *level, *active, *system, *rows;
  Hdf5Series *gap, *velocity, *multiplier, *position1, *position2, *normal, *impulse;
};

// HDF5 complains on stderr, at the end of the program too, where it cannot write what it has created.
void requireRoom(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) fail("%s: %s", path.c_str(), std::strerror(errno));
  struct stat status;
  const bool regular = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  const int reason = regular ? reserveSpace(descriptor, 0, file_metadata) : 0;
  close(descriptor);
  releaseSpace(path);
  if (!regular) fail("%s: not a regular file, which HDF5 needs", path.c_str());
  if (reason != 0) fail("%s: %s: no room for an HDF5 file", path.c_str(), std::strerror(reason));
}

}  // namespace

class Hdf5Trajectory::File {
 public:
  explicit File(const std::string& path);
  ~File();
  Hdf5Series* add(const std::string& name, Type type, std::vector<hsize_t> row = {}, std::int64_t skipped = 0);
  void start(const std::vector<Column>& columns);
  void record(double time, const std::vector<Column>& columns);
  void flush();

  const Simulation *systems_of = nullptr, *contacts_of = nullptr, *steps_of = nullptr;
  bool with_forces = false;
  ContactChoice choice = ContactChoice::Active;
  std::size_t buffer_size = std::size_t{1} << 20;
  double flush_seconds = 10;
  std::int64_t records = 0, flushed = 0;

 private:
  void startContacts();
  void followSystems();
  void enter(const DynamicalSystem& system);
  SystemTable& tableOf(const DynamicalSystem& system);
  void recordSystems();
  void recordContacts();
  void widen(Hdf5Series* series, hsize_t width);
  void reserve();
  void writeCount();

  std::string path_, failure_;
  bool damaged_ = false;  // the failure was in the middle of writing
  Hdf5Handle file_, count_;
  Clock::time_point last_flush_ = Clock::now();
  std::vector<std::unique_ptr<Hdf5Series>> series_;
  Hdf5Series *time_ = nullptr, *outcome_ = nullptr;
  std::vector<Hdf5Series*> columns_, figures_;
  ContactTable contacts_{};
  std::vector<std::unique_ptr<SystemTable>> tables_;
  std::vector<Seat> seats_;  // by number of the system
  unsigned long systems_version_ = 0;
  std::vector<double> row_, values_;
};

Hdf5Trajectory::File::File(const std::string& path) : path_(path) {
  requireRoom(path);
  const Hdf5Session session;
  file_ = Hdf5Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
  if (!file_.valid()) fail("%s: %s", path.c_str(), hdf5Reason().c_str());
  const Hdf5Handle text(H5Tcopy(H5T_C_S1), H5Tclose), scalar(H5Screate(H5S_SCALAR), H5Sclose);
  const char format[] = "nonsmooth-trajectory";
  H5Tset_size(text.get(), sizeof format);
  const Hdf5Handle name(H5Acreate2(file_.get(), "format", text.get(), scalar.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  const Hdf5Handle version(H5Acreate2(file_.get(), "version", H5T_NATIVE_INT64, scalar.get(), H5P_DEFAULT, H5P_DEFAULT),
                           H5Aclose);
  count_ = Hdf5Handle(H5Acreate2(file_.get(), "records", H5T_NATIVE_INT64, scalar.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  const std::int64_t number = 1;
  if (H5Awrite(name.get(), text.get(), format) < 0 || H5Awrite(version.get(), H5T_NATIVE_INT64, &number) < 0)
    fail("%s: %s", path.c_str(), hdf5Reason().c_str());
  writeCount();
  time_ = add("/time", Type::Real);
}

Hdf5Trajectory::File::~File() {
  try {
    if (!damaged_) flush();
  } catch (const std::exception&) {
    // Told to those who call flush().
  }
  {
    const Hdf5Session session;
    count_.reset();
    series_.clear();
    file_.reset();
  }
  releaseSpace(path_);
}

Hdf5Series* Hdf5Trajectory::File::add(const std::string& name, Type type, std::vector<hsize_t> row, std::int64_t skipped) {
  series_.push_back(std::make_unique<Hdf5Series>(name, type, std::move(row), static_cast<hsize_t>(skipped)));
  return series_.back().get();
}

void Hdf5Trajectory::File::start(const std::vector<Column>& columns) {
  for (const Column& column : columns) columns_.push_back(add("/columns/" + column.name, Type::Real));
  if (steps_of != nullptr) {
    for (const StepFigure& figure : stepFigures()) figures_.push_back(add(std::string("/steps/") + figure.name, Type::Real));
    outcome_ = add("/steps/outcome", Type::Text);
  }
  if (contacts_of != nullptr) startContacts();
}

void Hdf5Trajectory::File::startContacts() {
  const auto integers = [&](const char* name) { return add(std::string("/contacts/") + name, Type::Int32); };
  const auto vectors = [&](const char* name) { return add(std::string("/contacts/") + name, Type::Real, {3}); };
  contacts_.end = add("/contacts/end", Type::Int64);
  contacts_.interaction = integers("interaction");
  contacts_.generation = integers("generation");
  contacts_.tag = add("/contacts/tag", Type::Int64);
  contacts_.law = add("/contacts/law", Type::Text);
  contacts_.level = integers("level");
  contacts_.active = integers("active");
  contacts_.system = add("/contacts/system", Type::Int32, {2});
  contacts_.rows = integers("rows");
  contacts_.gap = add("/contacts/gap", Type::Real);
  contacts_.velocity = vectors("velocity");
  contacts_.multiplier = vectors("multiplier");
  contacts_.position1 = vectors("position1");
  contacts_.position2 = vectors("position2");
  contacts_.normal = vectors("normal");
  contacts_.impulse = vectors("impulse");
}

// Rows of one width stand in the buffer.
void Hdf5Trajectory::File::widen(Hdf5Series* series, hsize_t width) {
  if (width <= series->width()) return;
  if (series->buffered() > 0) flush();
  series->widen(width);
}

SystemTable& Hdf5Trajectory::File::tableOf(const DynamicalSystem& system) {
  const Index nq = system.slot().nq, nv = system.dimension();
  std::string name =
      std::string("/systems/") + system.className() + "_" + std::to_string(system.kind() == SystemKind::FirstOrder ? nv : nq);
  // Classes of the user's own may have one name, and be of the first and of the second order.
  const auto find = [&] {
    return std::find_if(tables_.begin(), tables_.end(), [&](const auto& table) { return table->name == name; });
  };
  for (auto found = find(); found != tables_.end(); found = find()) {
    if ((*found)->nq == nq && (*found)->nv == nv) return **found;
    name += "_" + std::to_string(nv);
  }
  tables_.push_back(std::make_unique<SystemTable>());
  SystemTable& table = *tables_.back();
  table.name = name;
  table.nq = nq;
  table.nv = nv;
  table.log = add(name + "/log", Type::Int64, {3});
  return table;
}

void Hdf5Trajectory::File::enter(const DynamicalSystem& system) {
  SystemTable& table = tableOf(system);
  std::size_t place = table.places.size();
  if (table.free.empty()) {
    table.places.push_back(nullptr);
  } else {
    place = table.free.back();
    table.free.pop_back();
  }
  table.places[place] = &system;
  seats_[static_cast<std::size_t>(system.number())] = {&table, place,
                                                       systems_of->nonSmoothDynamicalSystem().systemGeneration(system.number())};
  const std::int64_t entry[3] = {records, static_cast<std::int64_t>(place), system.number()};
  table.log->append(entry);
}

// Who has left, who has come.
void Hdf5Trajectory::File::followSystems() {
  const NonSmoothDynamicalSystem& model = systems_of->nonSmoothDynamicalSystem();
  if (!tables_.empty() && systems_version_ == model.systemsVersion()) return;
  systems_version_ = model.systemsVersion();
  seats_.resize(model.systems().size());
  for (std::size_t d = 0; d < seats_.size(); ++d) {
    Seat& seat = seats_[d];
    if (seat.table == nullptr || seat.generation == model.systemGeneration(static_cast<int>(d))) continue;
    const std::int64_t entry[3] = {records, static_cast<std::int64_t>(seat.place), -1};
    seat.table->log->append(entry);
    seat.table->places[seat.place] = nullptr;
    seat.table->free.push_back(seat.place);
    seat = Seat();
  }
  for (std::size_t d = 0; d < model.systems().size(); ++d)
    if (seats_[d].table == nullptr && model.systems()[d] != nullptr) enter(*model.systems()[d]);
  for (const auto& table : tables_) {
    const hsize_t width = table->places.size();
    const bool first_order = table->nq == 0;
    if (table->v == nullptr) {
      const auto array = [&](const char* name, Index size) {
        return add(table->name + name, Type::Real, {width, static_cast<hsize_t>(size)}, records);
      };
      if (!first_order) table->q = array("/q", table->nq);
      table->v = array(first_order ? "/x" : "/v", table->nv);
      if (with_forces) table->force = array("/force", table->nv), table->input = array("/input", table->nv);
    }
    for (Hdf5Series* series : {table->q, table->v, table->force, table->input})
      if (series != nullptr) widen(series, width);
  }
}

void Hdf5Trajectory::File::recordSystems() {
  for (const auto& table : tables_) {
    const auto append = [&](Hdf5Series* series, Index size, auto&& values) {
      if (series == nullptr) return;
      row_.assign(static_cast<std::size_t>(series->width()) * static_cast<std::size_t>(size), nan);
      for (std::size_t place = 0; place < table->places.size(); ++place)
        if (const DynamicalSystem* system = table->places[place])
          VectorView(row_.data() + static_cast<Index>(place) * size, size) = values(*system);
      series->append(row_.data());
    };
    using System = const DynamicalSystem&;
    const Motion input = table->nq == 0 ? Motion::input0 : Motion::input1;
    append(table->q, table->nq, [](System ds) { return ds.coordinates(Coordinate::q); });
    append(table->v, table->nv, [](System ds) { return ds.motion(Motion::v); });
    append(table->force, table->nv, [](System ds) { return ds.motion(Motion::force); });
    append(table->input, table->nv, [input](System ds) { return ds.motion(input); });
  }
}

void Hdf5Trajectory::File::recordContacts() {
  const auto append = [&](Hdf5Series* series, const double* values, Index count) {
    row_.assign(static_cast<std::size_t>(series->width()), nan);
    std::copy_n(values, count, row_.begin());
    series->append(row_.data());
  };
  const Vector3 unknown = Vector3::Constant(nan);
  forEachContact(*contacts_of, choice, [&](const ContactState& contact) {
    const Interaction& interaction = contact.interaction;
    const Index rows = interaction.dimension();
    contacts_.interaction->append(interaction.handle().index);
    contacts_.generation->append(static_cast<std::int32_t>(interaction.handle().generation));
    contacts_.tag->append(interaction.tag());
    contacts_.law->append(name(interaction.nonSmoothLaw().kind()));
    contacts_.level->append(static_cast<std::int32_t>(contact.level));
    contacts_.active->append(static_cast<std::int32_t>(contact.active));
    const std::int32_t system[2] = {static_cast<std::int32_t>(contact.system[0]), static_cast<std::int32_t>(contact.system[1])};
    contacts_.system->append(system);
    contacts_.rows->append(static_cast<std::int32_t>(rows));
    contacts_.gap->append(interaction.y(0)[0]);
    append(contacts_.velocity, interaction.y(1).data(), contact.mechanical ? rows : 0);
    append(contacts_.multiplier, interaction.lambda(contact.level).data(), rows);
    const Vector3 impulse = contact.frame ? contact.impulse() : unknown;
    contacts_.position1->append(contact.frame ? contact.frame->point1.data() : unknown.data());
    contacts_.position2->append(contact.frame ? contact.frame->point2.data() : unknown.data());
    contacts_.normal->append(contact.frame ? contact.frame->normal.data() : unknown.data());
    contacts_.impulse->append(impulse.data());
  });
  contacts_.end->append(static_cast<std::int64_t>(contacts_.interaction->rows()));
}

void Hdf5Trajectory::File::record(double time, const std::vector<Column>& columns) {
  if (!failure_.empty()) fail("%s", failure_.c_str());
  // Before any array gets its row: all rows of the buffer belong to whole records.
  if (systems_of != nullptr) followSystems();
  if (contacts_of != nullptr) {
    Index widest = 0;
    forEachContact(*contacts_of, choice, [&](const ContactState& c) { widest = std::max(widest, c.interaction.dimension()); });
    widen(contacts_.velocity, static_cast<hsize_t>(widest));
    widen(contacts_.multiplier, static_cast<hsize_t>(widest));
  }
  // So do user functions: where one throws, nothing has been recorded.
  values_.clear();
  for (const Column& column : columns) values_.push_back(column.value());
  time_->append(time);
  for (std::size_t k = 0; k < columns.size(); ++k) columns_[k]->append(values_[k]);
  if (steps_of != nullptr) {
    for (std::size_t k = 0; k < figures_.size(); ++k) figures_[k]->append(stepFigures()[k].value(steps_of->status()));
    outcome_->append(steps_of->status().solve.outcome);
  }
  if (systems_of != nullptr) recordSystems();
  if (contacts_of != nullptr) recordContacts();
  ++records;
  std::size_t buffered = 0;
  for (const auto& series : series_) buffered += series->buffered();
  if (buffered >= buffer_size || std::chrono::duration<double>(Clock::now() - last_flush_).count() >= flush_seconds) flush();
}

void Hdf5Trajectory::File::reserve() {
  hsize_t room = file_metadata;
  for (const auto& series : series_) room += series->roomNeeded();
  void* descriptor = nullptr;
  hsize_t size = 0;
  if (H5Fget_vfd_handle(file_.get(), H5P_DEFAULT, &descriptor) < 0 || H5Fget_filesize(file_.get(), &size) < 0)
    fail("%s: %s", path_.c_str(), hdf5Reason().c_str());
  if (const int reason = reserveSpace(*static_cast<const int*>(descriptor), size, room))
    fail("%s: %s: no room for the next %lld records; %lld records are in the file", path_.c_str(), std::strerror(reason),
         static_cast<long long>(records - flushed), static_cast<long long>(flushed));
}

// The number of complete records, after everything else.
void Hdf5Trajectory::File::writeCount() {
  if (H5Fflush(file_.get(), H5F_SCOPE_LOCAL) < 0 || H5Awrite(count_.get(), H5T_NATIVE_INT64, &records) < 0 ||
      H5Fflush(file_.get(), H5F_SCOPE_LOCAL) < 0)
    fail("%s: records: %s", path_.c_str(), hdf5Reason().c_str());
  flushed = records;
}

void Hdf5Trajectory::File::flush() {
  if (damaged_) fail("%s", failure_.c_str());
  last_flush_ = Clock::now();
  if (flushed == records) return;
  const Hdf5Session session;
  try {
    reserve();
    damaged_ = true;
    for (const auto& series : series_) series->write(file_.get(), path_);
    writeCount();
    damaged_ = false;
    failure_.clear();
  } catch (const Error& error) {
    failure_ = error.what();
    throw;
  }
}

Hdf5Trajectory::Hdf5Trajectory(const std::string& path) : Trajectory(path), file_(std::make_unique<File>(path)) {}

Hdf5Trajectory::~Hdf5Trajectory() = default;

void Hdf5Trajectory::addSystems(const Simulation& simulation, bool with_forces) {
  take(file_->systems_of, simulation, "systems");
  file_->with_forces = with_forces;
}

void Hdf5Trajectory::addContacts(const Simulation& simulation, ContactChoice choice) {
  take(file_->contacts_of, simulation, "contacts");
  file_->choice = choice;
}

void Hdf5Trajectory::addSteps(const Simulation& simulation) { take(file_->steps_of, simulation, "steps"); }

void Hdf5Trajectory::record(double time) {
  if (!started_) file_->start(columns());
  started_ = true;
  file_->record(time, columns());
}

void Hdf5Trajectory::flush() { file_->flush(); }

long Hdf5Trajectory::records() const { return static_cast<long>(file_->records); }
long Hdf5Trajectory::flushedRecords() const { return static_cast<long>(file_->flushed); }
void Hdf5Trajectory::setBufferSize(std::size_t bytes) { file_->buffer_size = bytes; }
void Hdf5Trajectory::setFlushSeconds(double seconds) { file_->flush_seconds = seconds; }

}  // namespace nonsmooth::kernel
