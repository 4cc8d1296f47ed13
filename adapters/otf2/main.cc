// `lightcone-otf2 ARCHIVE [REGIONS]`: prints an OTF2 archive as JSON Lines, for `lightcone` to
// read. It is a program of its own, so that a damaged archive cannot harm the reader.
#include <fmt/format.h>
#include <lightcone/base/file.h>
#include <lightcone/property/states/vocabulary.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>

#include "archive.h"
#include "archive_lines.h"

namespace {

using namespace lightcone;

/// `a, b*`: names in which `*` stands for any run of characters.
[[nodiscard]] Group regions_in(std::string_view list) {
  Group regions;
  while (!list.empty()) {
    std::string_view one = list.substr(0, list.find(','));
    list.remove_prefix(std::min(one.size() + 1, list.size()));
    while (one.starts_with(' ')) one.remove_prefix(1);
    while (one.ends_with(' ')) one.remove_suffix(1);
    if (!one.empty()) regions.patterns.emplace_back(one);
  }
  return regions;
}

int fail(const Error& error) {
  fmt::print(stderr, "{}\n", error.what);
  return 2;
}

}  // namespace

int main(int count, char** words) {
  if (count < 2 || count > 3)
    return fail({"usage: lightcone-otf2 ARCHIVE [REGIONS]", {}, 0, {}, 0, {}});
  const Group regions = regions_in(count == 3 ? words[2] : "");
  const auto is_wanted = [&](const std::string& region) {
    return regions.patterns.empty() || contains(regions, region);
  };
  const auto archive = otf2::Archive::read(words[1], is_wanted);
  if (!archive) return fail(archive.error());
  auto out = OutputFile::create("-");
  if (!out) return fail(out.error());
  const auto written = otf2::write_lines(*archive, [&](std::string_view line) {
    out->write(line);
    out->write("\n");
  });
  if (!written) return fail(written.error());
  if (auto done = out->commit(); !done) return fail(done.error());
  if (archive->left_out > 0) {
    fmt::print(stderr, "note: {} events left out, of kinds that say nothing of an order\n",
               archive->left_out);
  }
  return 0;
}
