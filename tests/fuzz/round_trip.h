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

/// A computation must survive being written and read again.
void return_unharmed(const Computation& computation);

/// Reads the bytes as spans. The executions that are accepted must be computations, whatever a
/// process is, and survive being written and read again, also as spans.
void read_spans(const std::uint8_t* data, std::size_t size, Format format);

}  // namespace lightcone::fuzz
