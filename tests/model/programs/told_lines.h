// Traces as lines that arrive one by one, for checks of growing traces.
#pragma once

#include <gtest/gtest.h>
#include <lightcone/check/growing/growing_lines.h>
#include <lightcone/computation.h>
#include <lightcone/monitor.h>
#include <lightcone/trace.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <sstream>
#include <string>
#include <vector>

namespace lightcone {

/// A trace as lines of text that only respect the order of each process: receives may stand before
/// sends.
class TraceLines {
 public:
  TraceLines(const Computation& computation, std::mt19937_64& random) {
    std::istringstream text(write_trace_text(computation, Format::jsonl));
    std::vector<std::vector<std::string>> left(computation.process_count());
    for (std::string line; std::getline(text, line);) {
      if (line.starts_with("{\"lightcone\"")) {
        if (random() % 2 == 0) lines_.push_back(line);
        continue;
      }
      for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
        const std::string name(computation.process_name(p));
        if (line.starts_with("{\"process\": \"" + name + "\",")) left[p].push_back(line);
      }
    }
    for (auto& lines : left) std::ranges::reverse(lines);
    for (;;) {
      std::erase_if(left, [](const auto& lines) { return lines.empty(); });
      if (left.empty()) return;
      auto& lines = left[random() % left.size()];
      // Runs of lines of one process make others wait for long.
      for (std::uint64_t run = 1 + random() % 4; run > 0 && !lines.empty(); --run) {
        lines_.push_back(std::move(lines.back()));
        lines.pop_back();
      }
    }
  }

  /// Leaves out lines that this does not want.
  template <class Wants>
  void keep(const Wants& wants) {
    std::erase_if(lines_, [&](const std::string& line) { return !wants(line); });
  }
  [[nodiscard]] const std::vector<std::string>& all() const { return lines_; }
  [[nodiscard]] std::string text(std::size_t count = SIZE_MAX) const {
    std::string text;
    for (std::size_t i = 0; i < std::min(count, lines_.size()); ++i) text += lines_[i] + '\n';
    return text;
  }

 private:
  std::vector<std::string> lines_;
};

/// Tells a check one line after the other.
class LineTeller {
 public:
  explicit LineTeller(Monitor& check) : lines_(check) {}

  [[nodiscard]] Expected<void> tell(const std::string& line) {
    std::vector<char> text(JsonlParser::room_before + line.size() + 1 + JsonlParser::room_after);
    std::ranges::copy(line + '\n', text.begin() + JsonlParser::room_before);
    parsed_.clear();
    parser_.parse(std::span(text).subspan(JsonlParser::room_before, line.size() + 1), ++number_,
                  parsed_);
    EXPECT_FALSE(parsed_.error.has_value()) << line;
    for (const JsonlLine& one : parsed_.lines) {
      if (auto told = lines_.add(parsed_, one); !told) return told;
    }
    return {};
  }

 private:
  GrowingLines lines_;
  JsonlParser parser_;
  JsonlLines parsed_;
  std::uint64_t number_ = 0;
};

}  // namespace lightcone
