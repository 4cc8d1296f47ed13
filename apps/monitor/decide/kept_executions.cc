// Writes lines while an execution runs, and makes a trace of them if it fails.
#include "decide/kept_executions.h"

#include <fmt/format.h>
#include <lightcone/base/file.h>
#include <lightcone/trace.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>

namespace lightcone::service {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t most_unwritten = 64 << 10;
constexpr std::size_t most_verdicts = 64 << 10;
constexpr std::size_t most_of_all = 16 << 20;  // of lines that are not written, and of verdicts

}  // namespace

KeptExecutions::KeptExecutions(std::string folder, std::uint64_t most_bytes, Note note)
    : folder_(std::move(folder)), most_bytes_(most_bytes), note_(std::move(note)) {
  std::error_code ignored;
  fs::create_directories(folder_, ignored);
  // Of a monitor that was killed: what it had not decided comes again.
  for (const auto& entry : fs::directory_iterator(folder_, ignored)) {
    if (entry.path().extension() == ".part") fs::remove(entry.path(), ignored);
  }
}

/// Letters, digits and a few signs stay; others become their numbers, so that no name leaves the
/// folder.
std::string KeptExecutions::file_name(const std::string& execution) {
  constexpr std::size_t longest = 100;
  std::string name;
  for (const char c : execution) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
    name += is_plain ? std::string(1, c) : fmt::format("%{:02x}", static_cast<unsigned char>(c));
  }
  if (name.size() > longest) {
    name = fmt::format("{}%{:x}", name.substr(0, longest), std::hash<std::string>()(execution));
  }
  return name;
}

std::string KeptExecutions::path_of(const std::string& execution, std::string_view ending) const {
  return fmt::format("{}/{}{}", folder_, file_name(execution), ending);
}

void KeptExecutions::write_open(const std::string& name) {
  for (auto& [execution, part] : parts_) {
    if (!part.unwritten.empty() && file_name(execution) == name) flush(execution, part);
  }
}

void KeptExecutions::add(const std::string& execution, std::string_view lines) {
  Part& part = parts_[execution];
  part.is_cut = part.is_cut || part.bytes + lines.size() > most_bytes_ / 4;
  if (part.is_cut) return;
  part.bytes += lines.size();
  unwritten_ -= part.unwritten.size();
  part.unwritten += lines;
  if (!lines.ends_with('\n')) part.unwritten += '\n';
  unwritten_ += part.unwritten.size();
  if (part.unwritten.size() >= most_unwritten) flush(execution, part);
  if (unwritten_ < most_of_all) return;
  for (auto& [name, one] : parts_) {
    if (!one.unwritten.empty()) flush(name, one);
  }
}

void KeptExecutions::flush(const std::string& execution, Part& part) {
  std::ofstream file(path_of(execution, ".part"), std::ios::app);
  file << part.unwritten;
  unwritten_ -= part.unwritten.size();
  part.unwritten = {};
}

void KeptExecutions::tell(const std::string& execution, const std::string& verdict) {
  std::string& verdicts = parts_[execution].verdicts;
  if (verdicts.size() >= most_verdicts || verdict_bytes_ >= most_of_all) return;
  verdict_bytes_ -= verdicts.size();
  verdicts += verdict + '\n';
  verdict_bytes_ += verdicts.size();
}

void KeptExecutions::end(const std::string& execution, bool has_failed) {
  const auto found = parts_.find(execution);
  if (found == parts_.end()) return;
  Part& part = found->second;
  const std::string lines = path_of(execution, ".part");
  if (has_failed) {
    flush(execution, part);
    // Where it was cut, or a process was refused, the greatest consistent prefix is kept.
    const auto reading = read_trace(lines, Format::jsonl, {.cut_off = true});
    if (reading) {
      keep(execution, reading->computation);
    } else {
      note_(fmt::format("execution `{}` cannot be kept: {}", execution, reading.error().text()));
    }
  }
  unwritten_ -= part.unwritten.size();
  verdict_bytes_ -= part.verdicts.size();
  parts_.erase(execution);
  std::error_code ignored;
  fs::remove(lines, ignored);
}

void KeptExecutions::keep(const std::string& execution, const Computation& computation) {
  const std::string path = path_of(execution, ".lct");
  if (auto written = write_trace(computation, path, Format::lct); !written) {
    return note_(
        fmt::format("execution `{}` cannot be kept: {}", execution, written.error().text()));
  }
  if (const auto found = parts_.find(execution); found != parts_.end()) {
    std::ofstream(path_of(execution, ".verdicts.jsonl")) << found->second.verdicts;
  }
  ++kept_;
  make_room();
}

void KeptExecutions::make_room() const {
  struct Kept {
    fs::file_time_type time;
    fs::path path;
    std::uint64_t bytes = 0;
  };
  std::vector<Kept> all;
  std::uint64_t bytes = 0;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder_, ignored)) {
    const auto extension = entry.path().extension();
    if (extension != ".lct" && extension != ".jsonl") continue;
    all.push_back({entry.last_write_time(ignored), entry.path(), entry.file_size(ignored)});
    bytes += all.back().bytes;
  }
  std::ranges::sort(all, {}, [](const Kept& one) { return one.time; });
  for (const Kept& oldest : all) {
    if (bytes <= most_bytes_) return;
    fs::remove(oldest.path, ignored);
    bytes -= oldest.bytes;
  }
}

}  // namespace lightcone::service
