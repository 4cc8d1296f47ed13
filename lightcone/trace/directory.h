// A directory as one trace: each process of a program writes a file of its own.
#pragma once

#include <lightcone/trace.h>

#include <string>

namespace lightcone {

[[nodiscard]] bool is_directory(const std::string& path);

/// Joins the files that `*.lct` and `*.jsonl` name into one computation, in the order of their
/// names: processes and messages of one name are the same, whichever file speaks of them. The
/// events of a process must all stand in one file. Notes name the file that they are about.
[[nodiscard]] Expected<Reading> read_directory(const std::string& path, const ReadOptions& options);

}  // namespace lightcone
