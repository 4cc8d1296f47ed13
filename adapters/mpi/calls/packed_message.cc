// MPICH packs nothing from MPI_BOTTOM: absolute addresses become relative to another base.
#include "calls/packed_message.h"

#include <algorithm>
#include <utility>

#include "calls/mpi_functions.h"

namespace lightcone::mpi {
namespace {

/// A buffer in words that every MPI packs.
class Described {
 public:
  Described(const void* buffer, MPI_Count count, MPI_Datatype type)
      : base_(const_cast<void*>(buffer)), count_(static_cast<int>(count)), type_(type) {
    if (buffer != MPI_BOTTOM || count_ <= 0) return;
    static char anchor;
    MPI_Aint address = 0;
    LIGHTCONE_REAL(Get_address)(&anchor, &address);
    const MPI_Aint displacement = -address;
    const int length = std::exchange(count_, 1);
    base_ = &anchor;
    LIGHTCONE_REAL(Type_create_hindexed)(1, &length, &displacement, type, &own_);
    LIGHTCONE_REAL(Type_commit)(&own_);
    type_ = own_;
  }
  ~Described() {
    if (own_ != MPI_DATATYPE_NULL) LIGHTCONE_REAL(Type_free)(&own_);
  }
  Described(const Described&) = delete;
  Described& operator=(const Described&) = delete;

  [[nodiscard]] void* base() const { return base_; }
  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] MPI_Datatype type() const { return type_; }

 private:
  void* base_;
  int count_;
  MPI_Datatype type_;
  MPI_Datatype own_ = MPI_DATATYPE_NULL;
};

}  // namespace

MPI_Comm quiet_comm() {
  static const MPI_Comm comm = [] {
    MPI_Comm made = MPI_COMM_NULL;
    LIGHTCONE_REAL(Comm_dup)(MPI_COMM_SELF, &made);
    LIGHTCONE_REAL(Comm_set_errhandler)(made, MPI_ERRORS_RETURN);
    return made;
  }();
  return comm;
}

std::optional<std::string> pack(const void* buffer, MPI_Count count, MPI_Datatype type) {
  // To MPI_PROC_NULL: refused like any other send of these.
  if (!std::in_range<int>(count) ||
      LIGHTCONE_REAL(Send)(buffer, static_cast<int>(count), type, MPI_PROC_NULL, 0, quiet_comm()) !=
          MPI_SUCCESS) {
    return std::nullopt;
  }
  const Described data(buffer, count, type);
  int size = 0, position = 0;
  LIGHTCONE_REAL(Pack_size)(data.count(), data.type(), quiet_comm(), &size);
  std::string bytes(static_cast<std::size_t>(std::max(size, 1)), '\0');
  if (LIGHTCONE_REAL(Pack)(data.base(), data.count(), data.type(), bytes.data(), size, &position,
                           quiet_comm()) != MPI_SUCCESS) {
    return std::nullopt;
  }
  bytes.resize(static_cast<std::size_t>(position));
  return bytes;
}

void unpack(std::string_view bytes, void* buffer, MPI_Count count, MPI_Datatype type) {
  const Described data(buffer, count, type);
  int position = 0;
  LIGHTCONE_REAL(Unpack)
  (bytes.data(), static_cast<int>(bytes.size()), &position, data.base(), data.count(), data.type(),
   quiet_comm());
}

namespace {

/// How many elements are packed at a time: the MPI counts bytes with an int.
constexpr MPI_Count most_bytes_at_once = 1 << 30;

[[nodiscard]] MPI_Count size_of_type(MPI_Datatype type) {
  MPI_Count size = 0;
  LIGHTCONE_REAL(Type_size_x)(type, &size);
  return std::max<MPI_Count>(size, 0);
}

/// Calls `each` with parts of a buffer that are small enough; false as soon as it is.
template <class Each>
[[nodiscard]] bool in_parts(const Buffer& buffer, MPI_Count type_size, Each each) {
  MPI_Count lower = 0, extent = 0;
  LIGHTCONE_REAL(Type_get_extent_x)(buffer.type, &lower, &extent);
  const MPI_Count most = std::max<MPI_Count>(most_bytes_at_once / type_size, 1);
  for (MPI_Count done = 0; done < buffer.count; done += most) {
    const MPI_Count count = std::min(most, buffer.count - done);
    void* const at = buffer.at == MPI_BOTTOM && done == 0
                         ? buffer.at
                         : static_cast<char*>(buffer.at) + done * extent;
    if (!each(Described(at, count, buffer.type))) return false;
  }
  return true;
}

}  // namespace

bool pack_more(std::string& bytes, const Buffer& buffer) {
  const MPI_Count type_size = buffer.count <= 0 ? 0 : size_of_type(buffer.type);
  if (type_size == 0) return true;
  return in_parts(buffer, type_size, [&](const Described& part) {
    int size = 0, position = 0;
    LIGHTCONE_REAL(Pack_size)(part.count(), part.type(), quiet_comm(), &size);
    const std::size_t before = bytes.size();
    bytes.resize(before + static_cast<std::size_t>(std::max(size, 1)));
    const int result = LIGHTCONE_REAL(Pack)(part.base(), part.count(), part.type(),
                                            bytes.data() + before, size, &position, quiet_comm());
    bytes.resize(before + static_cast<std::size_t>(position));
    return result == MPI_SUCCESS;
  });
}

bool unpack_next(std::string_view& bytes, const Buffer& buffer) {
  const MPI_Count type_size = buffer.count <= 0 ? 0 : size_of_type(buffer.type);
  if (type_size == 0) return true;
  return in_parts(buffer, type_size, [&](const Described& part) {
    int size = 0, position = 0;
    LIGHTCONE_REAL(Type_size)(part.type(), &size);
    const std::size_t length =
        static_cast<std::size_t>(size) * static_cast<std::size_t>(part.count());
    if (length > bytes.size()) return false;
    const int result = LIGHTCONE_REAL(Unpack)(bytes.data(), static_cast<int>(length), &position,
                                              part.base(), part.count(), part.type(), quiet_comm());
    bytes.remove_prefix(length);
    return result == MPI_SUCCESS;
  });
}

namespace {

/// As much of a buffer as a message of this size fills.
[[nodiscard]] Buffer filled_part(const Buffer& buffer, MPI_Count size) {
  const MPI_Count type_size = size_of_type(buffer.type);
  const MPI_Count count = type_size == 0 ? 0 : (size + type_size - 1) / type_size;
  return {buffer.at, std::min(count, buffer.count), buffer.type};
}

}  // namespace

std::optional<std::string> pack_first(const Buffer& buffer, MPI_Count size) {
  std::string bytes;
  if (size > 0 && !pack_more(bytes, filled_part(buffer, size))) return std::nullopt;
  // Of a message that was longer than the buffer, there is no more.
  bytes.resize(std::min(bytes.size(), static_cast<std::size_t>(std::max<MPI_Count>(size, 0))));
  return bytes;
}

/// What is cut off of the last element stays as it is.
bool unpack_first(std::string_view bytes, const Buffer& buffer) {
  if (bytes.empty()) return true;
  const Buffer part = filled_part(buffer, static_cast<MPI_Count>(bytes.size()));
  const auto whole =
      static_cast<std::size_t>(part.count) * static_cast<std::size_t>(size_of_type(part.type));
  if (whole < bytes.size()) return false;
  if (whole == bytes.size()) return unpack_next(bytes, part);
  std::string padded;
  if (!pack_more(padded, part)) return false;
  padded.replace(0, bytes.size(), bytes);
  std::string_view all = padded;
  return unpack_next(all, part);
}

bool is_predefined(MPI_Datatype type) {
  int integers = 0, addresses = 0, types = 0, combiner = 0;
  LIGHTCONE_REAL(Type_get_envelope)(type, &integers, &addresses, &types, &combiner);
  return combiner == MPI_COMBINER_NAMED;
}

KeptType::KeptType(MPI_Datatype type) : type_(type) {
  if (is_predefined(type)) return;
  is_own_ = LIGHTCONE_REAL(Type_dup)(type, &type_) == MPI_SUCCESS;
}

KeptType::~KeptType() {
  if (is_own_) LIGHTCONE_REAL(Type_free)(&type_);
}

}  // namespace lightcone::mpi
