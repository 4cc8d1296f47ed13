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

}  // namespace lightcone::mpi
