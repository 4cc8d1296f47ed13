// What every reader's fuzz target demands of the traces it accepts.
#pragma once

#include <lightcone/computation.h>
#include <lightcone/trace.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace lightcone::fuzz {

/// Reads the bytes as a trace; what is accepted must survive being written and read again.
void read_and_return(const std::uint8_t* data, std::size_t size, Format format,
                     const ReadOptions& options = {});

/// A computation that was read must survive being written and read again.
void check_returns(const Computation& computation);

}  // namespace lightcone::fuzz
