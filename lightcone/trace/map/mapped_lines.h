// Lines of a JSON log as events, by a mapping file.
#pragma once

#include <lightcone/error.h>
#include <lightcone/trace/jsonl/jsonl_parser.h>
#include <lightcone/trace/map/line_map.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lightcone {

/// Takes lines of a log apart as a map says.
class MappedLines final : public LineParser {
 public:
  /// `log` is the name of the log, of which events keep their line.
  MappedLines(LineMap map, const std::string& log);
  ~MappedLines() override;
  /// With the map of this file.
  [[nodiscard]] static Expected<std::unique_ptr<MappedLines>> with_map(const std::string& path,
                                                                       const std::string& log);

  std::uint64_t parse(std::span<char> text, std::uint64_t first_line, JsonlLines& into) override;
  [[nodiscard]] bool has_objects() const override { return true; }
  /// What was skipped.
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lightcone
