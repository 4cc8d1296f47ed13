// Turns what a live process says into rows of an lct file.
#include <lightcone/live/process/live_trace.h>

#include <lightcone/base/success.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace lightcone {
namespace {

constexpr std::chrono::seconds longest_unwritten{1};

[[nodiscard]] double seconds_now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

}  // namespace

Expected<LiveTrace> LiveTrace::create(const std::string& path, std::string process) {
  std::remove(path.c_str());
  return fill(path, std::move(process));
}

Expected<LiveTrace> LiveTrace::fill(const std::string& path, std::string process) {
  auto appender = LctAppender::open(path);
  if (!appender) return failure(appender.error());
  return LiveTrace(std::move(*appender), path, std::move(process));
}

Expected<LiveTrace> LiveTrace::resume(const std::string& path, std::string process,
                                      const std::string& begun, std::uint64_t bytes) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::exists(begun, error)) return create(path, std::move(process));
  fs::copy_file(begun, path, fs::copy_options::overwrite_existing, error);
  if (!error) fs::resize_file(path, std::min<std::uint64_t>(bytes, fs::file_size(path)), error);
  if (error) return failure("cannot be created: " + error.message(), path);
  auto appender = LctAppender::open(path);
  if (!appender) return failure(appender.error());
  return LiveTrace(std::move(*appender), path, std::move(process));
}

std::uint64_t LiveTrace::bytes() const {
  std::error_code error;
  const auto size = std::filesystem::file_size(path_, error);
  return error ? 0 : size;
}

std::string LiveTrace::source_text(const std::source_location& where) {
  if (where.line() == 0) return {};
  const std::string_view path = where.file_name();
  return fmt::format("{}:{}", path.substr(path.rfind('/') + 1), where.line());
}

Expected<void> LiveTrace::add(const Row& row) {
  if (auto room = appender_.make_room(); !room) return room;
  lct::RowContent content;
  content.process = appender_.process(process_);
  content.kind = row.kind;
  content.duplicate = row.duplicate;
  content.digest = row.digest;
  std::vector<lct::MessageMention> takes;
  for (const std::string& message : row.taken) takes.push_back(appender_.message(message));
  content.takes = takes;
  if (!row.sent.empty()) content.sends = appender_.message(row.sent);
  std::vector<std::uint32_t> labels, to;
  for (const std::string_view label : row.state.labels) labels.push_back(appender_.name(label));
  for (const std::string_view receiver : row.to) {
    to.push_back(appender_.name_of_thing(receiver));
  }
  content.labels = labels;
  content.to = to;
  std::vector<lct::RowContent::Variable> variables;
  for (const auto& [name, value] : row.state.variables) {
    lct::RowContent::Variable variable{appender_.name_of_thing(name), false};
    if (const auto* text = std::get_if<std::string_view>(&value)) {
      variable.value = appender_.name(*text);
    } else if (const auto* truth = std::get_if<bool>(&value)) {
      variable.value = *truth;
    } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
      variable.value = *integer;
    } else {
      variable.value = std::get<double>(value);
    }
    variables.push_back(variable);
  }
  content.variables = variables;
  if (row.state.time) {
    content.time = *row.state.time;
  } else if (row.kind != Kind::initial) {
    content.time = seconds_now();
  }
  if (!row.state.text.empty()) content.text = appender_.name(row.state.text);
  if (!row.state.source.empty()) {
    content.source = appender_.name(row.state.source);
  } else if (row.where != nullptr && row.where->line() != 0) {
    content.source = appender_.name(source_text(*row.where));
  }
  appender_.add(process_, content);
  return CoarseClock::now() - flushed_ < longest_unwritten ? success() : flush();
}

Expected<void> LiveTrace::flush() {
  flushed_ = CoarseClock::now();
  return appender_.flush();
}

}  // namespace lightcone
