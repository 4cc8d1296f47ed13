// Bytes that lie in one piece are hashed where they are; others are packed first.
#include "contents/contents_digest.h"

#include <fmt/format.h>
#include <lightcone/trace/digest.h>

#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "calls/mpi_functions.h"

namespace lightcone::mpi {
namespace {

/// What is asked about the last type, which is mostly the next one, too. A type that the program
/// made may be freed, and its handle be that of another one: those are asked about each time.
struct TypeFacts {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const std::string* name = nullptr;
  MPI_Count size = 0;
  bool in_one_piece = false;
  bool is_long_double = false;
  bool is_known = false;  ///< for good
};

/// The same text at the same place for the same name.
[[nodiscard]] const std::string* kept_name(std::string_view name) {
  static std::set<std::string, std::less<>> names;
  const auto place = names.find(name);
  return place != names.end() ? &*place : &*names.emplace(name).first;
}

[[nodiscard]] bool is_named(MPI_Datatype type) {
  int integers = 0, addresses = 0, types = 0, combiner = 0;
  return LIGHTCONE_REAL(Type_get_envelope)(type, &integers, &addresses, &types, &combiner) ==
             MPI_SUCCESS &&
         combiner == MPI_COMBINER_NAMED;
}

[[nodiscard]] TypeFacts facts_of(MPI_Datatype type) {
  static TypeFacts last;
  if (last.is_known && last.type == type) return last;
  TypeFacts facts{type};
  char name[MPI_MAX_OBJECT_NAME + 1] = {};
  int length = 0, size = 0;
  LIGHTCONE_REAL(Type_get_name)(type, name, &length);
  facts.name = kept_name(length > 0 ? std::string_view(name) : "of a type without a name");
  MPI_Aint lower = 0, extent = 0, true_lower = 0, true_extent = 0;
  LIGHTCONE_REAL(Type_size)(type, &size);
  LIGHTCONE_REAL(Type_get_extent)(type, &lower, &extent);
  LIGHTCONE_REAL(Type_get_true_extent)(type, &true_lower, &true_extent);
  facts.size = size;
  facts.in_one_piece = size == extent && lower == 0 && true_lower == 0 && true_extent == extent;
  facts.is_known = is_named(type);
  facts.is_long_double = facts.is_known && type == MPI_LONG_DOUBLE;
  if (facts.is_known) last = facts;
  return facts;
}

/// On this machine a `long double` has 10 bytes, and room for more.
[[nodiscard]] std::uint64_t digest_of_long_doubles(const char* bytes, MPI_Count count) {
  constexpr std::size_t meant = 10, room = sizeof(long double);
  std::string all;
  for (MPI_Count i = 0; i < count; ++i) {
    all.append(bytes + static_cast<std::size_t>(i) * room, room > meant ? meant : room);
  }
  return digest_of(all);
}

[[nodiscard]] std::uint64_t digest_of(const TypeFacts& facts, const Buffer& buffer) {
  if (buffer.count <= 0) return lightcone::digest_of({});
  const auto* const bytes = static_cast<const char*>(buffer.at);
  if (facts.is_long_double && buffer.at != MPI_BOTTOM) {
    return digest_of_long_doubles(bytes, buffer.count);
  }
  if (facts.in_one_piece && buffer.at != MPI_BOTTOM) {
    return lightcone::digest_of({bytes, static_cast<std::size_t>(buffer.count * facts.size)});
  }
  const auto packed = pack(buffer.at, buffer.count, buffer.type);
  return packed ? lightcone::digest_of(*packed) : 0;
}

[[nodiscard]] bool has_type(const Buffer& buffer) {
  return buffer.type != MPI_DATATYPE_NULL && buffer.count >= 0;
}

}  // namespace

ContentsNote note_of(const Buffer& buffer) {
  if (!has_type(buffer)) return {};
  const TypeFacts facts = facts_of(buffer.type);
  return {digest_of(facts, buffer), static_cast<std::int64_t>(buffer.count), facts.name};
}

ContentsNote note_of(std::span<const Buffer> buffers) {
  if (buffers.size() == 1) return note_of(buffers.front());
  ContentsNote all;
  std::vector<std::uint64_t> digests;
  for (const Buffer& buffer : buffers) {
    const ContentsNote one = note_of(buffer);
    digests.push_back(one.digest);
    all.count += one.count;
    if (all.type == nullptr || all.type == one.type) {
      all.type = one.type;
    } else {
      all.type = kept_name("of several types");
    }
  }
  all.digest = digest_of_all(digests);
  return all;
}

ContentsNote note_of(const Buffer& buffer, const MPI_Status& status) {
  if (!has_type(buffer)) return {};
  int count = 0;
  if (LIGHTCONE_REAL(Get_count)(&status, buffer.type, &count) != MPI_SUCCESS ||
      count == MPI_UNDEFINED) {
    return {};
  }
  return note_of(Buffer{buffer.at, count, buffer.type});
}

}  // namespace lightcone::mpi
