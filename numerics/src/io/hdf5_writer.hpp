// Writes HDF5 files in memory, without the HDF5 library: that one brings thirty others (Kerberos, LDAP, TLS) into every process
// that solves a problem, half of the time in which a command starts. What we write is small: groups, datasets of one dimension in
// one piece, strings; in the layout of HDF5 1.8 and later (superblock 2, object headers 2), which needs neither trees nor heaps.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "linalg/matrix.hpp"

namespace nonsmooth::hdf5 {

// A group that is written. Datasets carry no time stamps: the same problem gives the same bytes. Names have at most 255
// characters.
class NewGroup {
 public:
  NewGroup(const NewGroup&) = delete;
  NewGroup& operator=(const NewGroup&) = delete;
  // Stays where it is as long as the image lives.
  NewGroup& group(const char* name);
  void integer(const char* name, std::int32_t value);
  void integers(const char* name, const IndexVector& values);
  void reals(const char* name, const Vector& values);
  void text(const char* name, const std::string& value);
  void text_attribute(const char* name, const std::string& value);

 private:
  friend class NewImage;
  explicit NewGroup(std::string& file) : file_(file) {}
  void dataset(const char* name, std::string_view type, std::string_view space, std::string_view data);
  std::uint64_t write_header();

  struct Member {
    std::string name;
    std::unique_ptr<NewGroup> group;  // null: a dataset, which is written already
    std::uint64_t address;
  };
  std::string& file_;
  std::string attributes_;  // messages
  std::vector<Member> members_;
};

class NewImage {
 public:
  NewImage();
  NewGroup& root() { return root_; }
  // The whole file. To be called once, when everything is written.
  std::string take();

 private:
  std::string file_;
  NewGroup root_;
};

}  // namespace nonsmooth::hdf5
