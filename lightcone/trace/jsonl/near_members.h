// Members of JSON lines that look like misspelt ones.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace lightcone {

/// Adds a sentence for each member of a line that Lightcone does not know and that is one letter
/// away from one that it knows. `extra` is the text of the unknown members of the line.
void find_near_members(std::string_view extra, std::set<std::string>& sentences);

}  // namespace lightcone
