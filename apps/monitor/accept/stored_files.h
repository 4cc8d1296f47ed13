// What is on the disk, whatever happens to the machine: contents of files, and their names.
#pragma once

#include <lightcone/error.h>

#include <string>
#include <string_view>

namespace lightcone::service {

/// Returns when what was written to the file is on the disk.
[[nodiscard]] Expected<void> store_contents(const std::string& path);
/// Returns when the names of the files in a folder are on the disk.
[[nodiscard]] Expected<void> store_names(const std::string& folder);
/// Replaces a file: whole, or not at all. Returns when its contents and its name are on the disk.
[[nodiscard]] Expected<void> replace_file(const std::string& path, std::string_view bytes);

}  // namespace lightcone::service
