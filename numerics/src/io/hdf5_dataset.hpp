// Values of HDF5 datasets and attributes, from the messages of their headers.
#pragma once

#include "io/hdf5_reader.hpp"

namespace nonsmooth::hdf5 {

IndexVector read_integers(const Source& source, const std::vector<Message>& dataset, const std::string& path);
Vector read_reals(const Source& source, const std::vector<Message>& dataset, const std::string& path);
std::string read_text(const Source& source, const std::vector<Message>& dataset, const std::string& path);
// nullopt if the attribute has another name.
std::optional<std::string> read_text_attribute(const Source& source, std::string_view message, std::string_view name,
                                               const std::string& what);

// What a chunk went through when it was written, in that order.
struct Filter {
  enum class Kind { deflate = 1, shuffle = 2, fletcher32 = 3 };
  Kind kind;
};
std::vector<Filter> read_filters(std::string_view message, const std::string& path);
// Undoes the filters not masked out; the result has `size` bytes, of elements of `element` bytes.
std::string undo_filters(std::string_view stored, const std::vector<Filter>& filters, std::uint32_t mask, std::size_t size,
                         std::size_t element, const std::string& path);

}  // namespace nonsmooth::hdf5
