// The data of a buffer as one piece of bytes, however its datatype spreads it over memory.
#pragma once

#include <mpi.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone::mpi {

/// A place in memory, as MPI describes it.
struct Buffer {
  void* at = nullptr;
  MPI_Count count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
};

/// A communicator of this process alone, on which errors are returned: what Lightcone asks for
/// itself is never blamed on the program.
[[nodiscard]] MPI_Comm quiet_comm();

/// Returns the data as MPI_PACKED has it; nothing if the MPI refuses the arguments. The buffer may
/// be MPI_BOTTOM with absolute addresses in the datatype.
[[nodiscard]] std::optional<std::string> pack(const void* buffer, MPI_Count count,
                                              MPI_Datatype type);

/// Puts packed data where the datatype says.
void unpack(std::string_view bytes, void* buffer, MPI_Count count, MPI_Datatype type);

/// Adds the data of a buffer that the MPI has just filled, any number of elements. Returns whether
/// it could be packed.
[[nodiscard]] bool pack_more(std::string& bytes, const Buffer& buffer);
/// Takes the data of a buffer from the front of `bytes` and puts it there. Returns whether there
/// was enough.
[[nodiscard]] bool unpack_next(std::string_view& bytes, const Buffer& buffer);
/// The same for the first `size` bytes of a message, of which the last element may be cut off.
[[nodiscard]] std::optional<std::string> pack_first(const Buffer& buffer, MPI_Count size);
[[nodiscard]] bool unpack_first(std::string_view bytes, const Buffer& buffer);

/// Returns whether the MPI has made a type itself, so that it is never freed.
[[nodiscard]] bool is_predefined(MPI_Datatype type);

/// A type that may be freed by the program while a call still needs it.
class KeptType {
 public:
  explicit KeptType(MPI_Datatype type);
  ~KeptType();
  KeptType(const KeptType&) = delete;
  KeptType& operator=(const KeptType&) = delete;
  [[nodiscard]] MPI_Datatype type() const { return type_; }

 private:
  MPI_Datatype type_;
  bool is_own_ = false;
};

}  // namespace lightcone::mpi
