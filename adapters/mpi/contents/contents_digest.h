// Digests of what MPI calls send and receive, by datatype.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <string>

#include "calls/packed_message.h"
#include "process/mpi_trace.h"

namespace lightcone::mpi {

/// Of the data that the datatype finds in the buffer. Of a `long double`, bytes that have no
/// meaning do not count.
[[nodiscard]] ContentsNote note_of(const Buffer& buffer);
/// Of several pieces, one after the other.
[[nodiscard]] ContentsNote note_of(std::span<const Buffer> buffers);
/// Of a message that came, which may be shorter than its buffer.
[[nodiscard]] ContentsNote note_of(const Buffer& buffer, const MPI_Status& status);

}  // namespace lightcone::mpi
