// Writes verdicts to the file first: what is in it is not told again.
#include "decide/verdict_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>

#include "accept/arrival.h"
#include "accept/stored_files.h"

namespace lightcone::service {
namespace {

[[nodiscard]] double seconds_since_1970() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

}  // namespace

std::optional<VerdictName> name_in(std::string_view line) {
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
  if (!line.starts_with('{') || !line.ends_with('}')) return std::nullopt;
  const std::string_view members = line.substr(1, line.size() - 2);
  const auto execution = Json::parse(member_text(members, "execution"));
  const std::string_view number = member_text(members, "sequence");
  VerdictName name;
  const auto read = std::from_chars(number.data(), number.data() + number.size(), name.number);
  if (!execution || execution->text() == nullptr || number.empty() || read.ec != std::errc()) {
    return std::nullopt;
  }
  name.execution = *execution->text();
  return name;
}

namespace {

constexpr std::size_t longest_verdict = 900 << 10;  // a message of NATS has room for it
constexpr std::size_t most_refused_shown = 16;

[[nodiscard]] Json whole_json_of(const ToldVerdict& verdict) {
  Json line{{"property", verdict.property},
            {"verdict", name_of(verdict.verdict)},
            {"execution", verdict.execution}};
  if (!verdict.process.empty()) {
    line["at"] = Json{{"process", verdict.process}, {"event", verdict.rank}};
  }
  if (!verdict.labels.empty()) line["labels"] = verdict.labels;
  if (!verdict.cut.empty()) {
    Json cut = Json::object();
    for (const auto& [process, rank] : verdict.cut) cut[process] = rank;
    line["cut"] = std::move(cut);
  }
  if (verdict.needs_all) line["of_named_processes"] = true;
  if (verdict.is_final) {
    line["final"] = true;
    line["found"] = verdict.found;
  }
  if (verdict.is_again) line["again"] = true;
  if (!verdict.why.empty()) line["why"] = verdict.why;
  if (!verdict.refused.empty()) line["refused"] = verdict.refused;
  return line;
}

/// How many bytes of names a verdict has, about.
[[nodiscard]] std::size_t name_bytes(const ToldVerdict& verdict) {
  constexpr std::size_t of_rank = 24;
  std::size_t bytes = verdict.why.size();
  for (const auto& [process, rank] : verdict.cut) bytes += process.size() + of_rank;
  for (const std::string& name : verdict.refused) bytes += name.size();
  for (const std::string& label : verdict.labels) bytes += label.size();
  return bytes;
}

}  // namespace

Json json_of(const ToldVerdict& verdict) {
  constexpr std::size_t longest_escape = 6;
  Json line = whole_json_of(verdict);
  if (name_bytes(verdict) < longest_verdict / longest_escape) return line;
  if (line.dump().size() <= longest_verdict) return line;
  ToldVerdict shorter = verdict;
  shorter.cut.clear();
  shorter.labels.clear();
  shorter.refused.resize(std::min(shorter.refused.size(), most_refused_shown));
  shorter.why = "its names take too much room and are not all shown";
  return whole_json_of(shorter);
}

std::string words_of(const ToldVerdict& verdict) {
  std::string words =
      fmt::format("{}  {}  {}", verdict.execution, name_of(verdict.verdict), verdict.property);
  if (!verdict.process.empty()) words += fmt::format("  at {}:{}", verdict.process, verdict.rank);
  if (!verdict.labels.empty()) words += fmt::format("  [{}]", fmt::join(verdict.labels, ", "));
  const char* separator = "  in ";
  for (const auto& [process, rank] : verdict.cut) {
    words += fmt::format("{}{}:{}", separator, process, rank);
    separator = ", ";
  }
  if (verdict.is_final) {
    words +=
        fmt::format("  at the end, found {} time{}", verdict.found, verdict.found == 1 ? "" : "s");
  }
  if (!verdict.why.empty()) words += fmt::format("  ({})", verdict.why);
  if (!verdict.refused.empty()) {
    words += fmt::format("  (without all of {})", fmt::join(verdict.refused, ", "));
  }
  return words;
}

Expected<VerdictLog> VerdictLog::open(const std::string& path, Show show) {
  VerdictLog log(std::move(show));
  log.path_ = path;
  auto appended = AppendedFile::open(path);
  if (!appended) return failure(appended.error());
  // What another monitor writes just now is not torn.
  if (!appended->lock()) {
    return failure("another monitor writes to it", path, 0, "choose another file");
  }
  std::uint64_t whole = 0;
  {
    auto file = InputFile::open_regular(path);
    if (!file) return failure(file.error());
    const auto text = file->read_all();
    if (!text) return failure(text.error());
    const std::size_t end = text->rfind('\n');
    whole = end == std::string::npos ? 0 : end + 1;
    if (whole > 0) {
      const std::size_t before = end == 0 ? std::string::npos : text->rfind('\n', end - 1);
      const std::size_t begin = before == std::string::npos ? 0 : before + 1;
      const auto last = name_in(std::string_view(*text).substr(begin, end - begin));
      if (!last) {
        return failure("its last line is no verdict", path, 0,
                       "choose another file, or remove this one");
      }
      log.told_ = last->number;
    }
  }
  if (auto cut = appended->cut(whole); !cut) return failure(cut.error());
  const std::string folder = std::filesystem::path(path).parent_path().string();
  if (auto stored = store_names(folder); !stored) return failure(stored.error());
  log.file_.emplace(std::move(*appended));
  return log;
}

Expected<void> VerdictLog::repeat_after(std::uint64_t sequence) {
  repeats_after_ = sequence;
  if (!file_) return {};
  auto file = InputFile::open_regular(path_);
  if (!file) return failure(file.error());
  const auto text = file->read_all();
  if (!text) return failure(text.error());
  // From the last line back.
  for (std::size_t end = text->rfind('\n'); end != std::string::npos && end > 0;) {
    const std::size_t before = text->rfind('\n', end - 1);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    const auto name = name_in(std::string_view(*text).substr(begin, end - begin));
    if (!name) {
      return failure("has a line that is no verdict", path_, 0,
                     "choose another file, or remove this one");
    }
    if (name->number <= sequence) break;
    ++repeated_[name->execution];
    end = before;
  }
  return {};
}

void VerdictLog::tell(const ToldVerdict& verdict) {
  std::optional<std::uint64_t> number;
  if (number_) {
    number = number_(verdict);
  } else if (const auto found = repeated_.find(verdict.execution); found != repeated_.end()) {
    if (--found->second == 0) repeated_.erase(found);
  } else {
    number = ++told_;
  }
  if (!number) return;
  Json line = json_of(verdict);
  line["sequence"] = *number;
  line["time"] = seconds_since_1970();
  unwritten_.push_back({*number, verdict.execution, line.dump(), words_of(verdict)});
}

Expected<void> VerdictLog::flush() {
  if (unwritten_.empty()) return {};
  if (file_) {
    std::string lines;
    for (const Line& line : unwritten_) lines += line.json + '\n';
    if (auto written = file_->write(lines); !written) return written;
    // Whoever sees a verdict must not see it again after the machine has lost its power.
    if (auto stored = store_contents(path_); !stored) return stored;
  }
  if (show_) {
    for (const Line& line : unwritten_) show_(line);
  }
  unwritten_.clear();
  return {};
}

}  // namespace lightcone::service
