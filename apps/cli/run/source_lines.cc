// Lines of the source by libdw, where Lightcone is built with it.
#include "run/source_lines.h"

#include <lightcone/base/file.h>

#include <charconv>
#include <filesystem>
#include <memory>
#include <set>
#include <sstream>

#ifdef LIGHTCONE_LIBDW
#include <elfutils/libdwfl.h>
#endif

namespace lightcone::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* file_of_lines = "sources.tsv";
constexpr std::string_view extension_of_sites = ".sites";

/// A file of code, and how far from its beginning.
struct CodePlace {
  std::string file;
  std::uint64_t offset = 0;
};

[[nodiscard]] CodePlace code_place(std::string_view text) {
  CodePlace place;
  const std::size_t plus = text.rfind("+0x");
  if (plus == std::string_view::npos) return place;
  const char* const end = text.data() + text.size();
  if (std::from_chars(text.data() + plus + 3, end, place.offset, 16).ptr != end) return place;
  place.file = text.substr(0, plus);
  return place;
}

[[nodiscard]] std::string_view without_folders(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

#ifdef LIGHTCONE_LIBDW

/// One program or library.
class CodeFile {
 public:
  explicit CodeFile(const std::string& path) : session_(::dwfl_begin(&callbacks)) {
    if (session_ == nullptr) return;
    ::dwfl_report_begin(session_.get());
    module_ = ::dwfl_report_offline(session_.get(), path.c_str(), path.c_str(), -1);
    ::dwfl_report_end(session_.get(), nullptr, nullptr);
  }

  [[nodiscard]] std::string line_at(std::uint64_t offset) const {
    if (module_ == nullptr) return {};
    Dwarf_Addr start = 0;
    ::dwfl_module_info(module_, nullptr, &start, nullptr, nullptr, nullptr, nullptr, nullptr);
    Dwfl_Line* const line = ::dwfl_module_getsrc(module_, start + offset);
    if (line == nullptr) return {};
    int number = 0;
    const char* const source = ::dwfl_lineinfo(line, nullptr, &number, nullptr, nullptr, nullptr);
    if (source == nullptr || number == 0) return {};
    return std::string(without_folders(source)) + ':' + std::to_string(number);
  }

 private:
  static constexpr Dwfl_Callbacks callbacks = {
      .find_elf = nullptr,
      .find_debuginfo = ::dwfl_standard_find_debuginfo,
      .section_address = ::dwfl_offline_section_address,
      .debuginfo_path = nullptr,
  };
  struct End {
    void operator()(Dwfl* session) const { ::dwfl_end(session); }
  };
  std::unique_ptr<Dwfl, End> session_;
  Dwfl_Module* module_ = nullptr;
};

#else

/// Without libdw nothing is known.
class CodeFile {
 public:
  explicit CodeFile(const std::string&) {}
  [[nodiscard]] std::string line_at(std::uint64_t) const { return {}; }
};

#endif

[[nodiscard]] std::set<std::string> lines_of(const std::string& path) {
  std::set<std::string> lines;
  auto file = InputFile::open_regular(path);
  if (!file) return lines;
  const auto text = file->read_all();
  std::istringstream all(text ? *text : std::string());
  for (std::string line; std::getline(all, line);) lines.insert(line);
  return lines;
}

}  // namespace

SourceLines SourceLines::find(const std::vector<std::string>& places) {
  SourceLines found;
  std::map<std::string, CodeFile> files;
  for (const std::string& text : places) {
    const CodePlace place = code_place(text);
    if (place.file.empty()) continue;
    const CodeFile& code = files.try_emplace(place.file, place.file).first->second;
    std::string line = code.line_at(place.offset);
    if (!line.empty()) found.lines_.emplace(text, std::move(line));
  }
  return found;
}

SourceLines SourceLines::read(const std::string& directory) {
  SourceLines known;
  for (const std::string& line : lines_of(directory + '/' + file_of_lines)) {
    const std::size_t tab = line.find('\t');
    if (tab != std::string::npos) known.lines_.emplace(line.substr(0, tab), line.substr(tab + 1));
  }
  return known;
}

Expected<void> SourceLines::write(const std::string& directory) const {
  auto file = OutputFile::create(directory + '/' + file_of_lines);
  if (!file) return failure(file.error());
  for (const auto& [place, line] : lines_) file->write(place + '\t' + line + '\n');
  return file->commit();
}

std::string SourceLines::operator()(std::string_view place) const {
  const auto known = lines_.find(place);
  if (known != lines_.end()) return known->second;
  return std::string(place.find("+0x") == std::string_view::npos ? place : without_folders(place));
}

Expected<void> keep_source_lines(const std::string& directory) {
  std::set<std::string> places;
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    if (entry.path().extension() != extension_of_sites) continue;
    places.merge(lines_of(entry.path().string()));
    files.push_back(entry.path());
  }
  if (error) return failure("cannot be read: " + error.message(), directory);
  const std::vector<std::string> all(places.begin(), places.end());
  if (auto written = SourceLines::find(all).write(directory); !written) return written;
  for (const fs::path& file : files) fs::remove(file, error);
  return {};
}

}  // namespace lightcone::cli
