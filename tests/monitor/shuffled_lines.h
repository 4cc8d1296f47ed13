// A recorded run as clients send it: in pieces, with duplicates, out of order; and what must be
// told.
#pragma once

#include "monitor/told_verdicts.h"

#include <lightcone/check/recorded_check.h>
#include <lightcone/property/language/parser.h>
#include <lightcone/trace.h>
#include <rapidcheck.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "accept/line_cutter.h"

namespace lightcone {

/// A client that is never answered, and must not be refused.
class QuietSource final : public service::LineSource {
 public:
  void stored(const std::string&, const std::map<std::string, std::uint64_t>&) override {}
  void refused(const std::string& why) override { refusal = why; }
  std::string refusal;
};

/// The lines of each process with their ranks, in an order of their own.
class ShuffledLines {
 public:
  ShuffledLines(const Computation& c, std::mt19937_64& random) {
    std::istringstream text(write_trace_text(c, Format::jsonl));
    std::map<std::string, std::vector<std::string>> left;
    for (std::string line; std::getline(text, line);) {
      if (line.starts_with("{\"lightcone\"")) {
        if (random() % 2 == 0) header_ = line + '\n';
        continue;
      }
      recorded_ += line + '\n';
      left[line.substr(0, line.find(','))].push_back(line);
    }
    for (auto& [process, lines] : left) add_process(lines, random);
    mix(random);
  }

  [[nodiscard]] std::string recorded() const { return header_ + recorded_; }
  [[nodiscard]] std::string sent() const { return header_ + sent_; }
  [[nodiscard]] const std::string& header() const { return header_; }

 private:
  /// Gives each line its rank, repeats some, and moves some; the initial state stays first.
  void add_process(const std::vector<std::string>& lines, std::mt19937_64& random) {
    std::vector<std::string> all;
    std::uint64_t rank = 0;
    std::size_t first = 0;
    for (const std::string& line : lines) {
      const bool is_initial = line.find("\"kind\": \"init\"") != std::string::npos;
      const std::uint64_t number = is_initial ? 0 : ++rank;
      if (is_initial) first = 1;
      all.push_back("{\"rank\": " + std::to_string(number) + ", " + line.substr(1) + '\n');
      if (random() % 4 == 0) all.push_back(all[random() % all.size()]);
    }
    for (std::size_t i = first; i < all.size(); ++i) {
      const std::size_t other = std::min(all.size() - 1, i + random() % 4);
      std::swap(all[i], all[other]);
    }
    processes_.push_back(std::move(all));
  }
  void mix(std::mt19937_64& random) {
    for (auto& lines : processes_) std::ranges::reverse(lines);
    for (;;) {
      std::erase_if(processes_, [](const auto& lines) { return lines.empty(); });
      if (processes_.empty()) return;
      auto& lines = processes_[random() % processes_.size()];
      sent_ += lines.back();
      lines.pop_back();
    }
  }

  std::string header_, recorded_, sent_;
  std::vector<std::vector<std::string>> processes_;
};

/// Sends bytes in random pieces.
inline void send_in_pieces(const std::string& text, std::mt19937_64& random,
                           const std::shared_ptr<service::LineSource>& source,
                           const std::function<void(service::Arrival)>& take) {
  service::LineCutter cutter(source, "run", {});
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = 1 + random() % 200;
    const auto cut = cutter.add(std::string_view(text).substr(at, size), take);
    if (!cut) RC_FAIL(cut.error().text());
    at += size;
  }
  if (const auto cut = cutter.finish(take); !cut) RC_FAIL(cut.error().text());
}

/// Begins a message of lines, or ends an execution.
[[nodiscard]] inline std::string execution_heading(const std::string& execution,
                                                   bool is_end = false) {
  return "{\"lightcone\": 1, \"execution\": \"" + execution + '"' +
         (is_end ? ", \"end\": true}\n" : "}\n");
}

/// Cuts lines into messages of some lines each.
[[nodiscard]] inline std::vector<std::string> messages_of(const ShuffledLines& lines,
                                                          const std::string& execution,
                                                          std::mt19937_64& random) {
  std::vector<std::string> messages = {execution_heading(execution)};
  std::istringstream text(lines.sent());
  for (std::string line; std::getline(text, line);) {
    messages.back() += line + '\n';
    if (random() % 3 == 0) messages.push_back(execution_heading(execution));
  }
  messages.push_back(execution_heading(execution, true));
  return messages;
}

/// What was told is what the check of the whole trace finds.
inline void expect_agreement(const ToldVerdicts& told, const Properties& properties,
                             const ShuffledLines& lines) {
  if (!told.trouble.empty()) RC_FAIL(told.trouble);
  const auto reading = read_trace_text(lines.recorded(), "trace", Format::jsonl, {});
  if (!reading) RC_FAIL(reading.error().text());
  const auto recorded = RecordedCheck::run(properties, *reading, {});
  if (!recorded) {
    RC_ASSERT(!told.why.empty());
    return;
  }
  const ToldVerdicts expected = expected_of(recorded->report());
  RC_ASSERT(told.finals == expected.finals);
  for (const auto& property : properties.properties) {
    const auto mine = told.places.find(property.name), theirs = expected.places.find(property.name);
    const auto no_places = std::set<ToldVerdicts::Place>();
    RC_ASSERT((mine == told.places.end() ? no_places : mine->second) ==
              (theirs == expected.places.end() ? no_places : theirs->second));
  }
}

}  // namespace lightcone
