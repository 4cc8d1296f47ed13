// Makes the files of an incarnation, one after the other, until none was there before.
#include <lightcone/live/process/process_identity.h>

#include <lightcone/recording.h>
#include <lightcone/riders/tags/incarnation.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

namespace lightcone {
namespace {

/// The files that only one process may make. In a replay: a mark beside its report.
[[nodiscard]] std::vector<std::string> files_of(const std::string& identity,
                                                const ProcessOptions& options,
                                                const std::optional<RunOrders>& orders) {
  std::vector<std::string> paths;
  if (orders && orders->replay() != nullptr) {
    const std::string& reports = orders->replay()->reports;
    if (!reports.empty()) {
      paths.push_back(reports + "/" + file_name_of(identity) + ".begun");
    }
    return paths;
  }
  if (orders && orders->record() != nullptr) {
    paths.push_back(Recording::journal_path(orders->directory, identity));
  }
  if (!options.traces.empty()) paths.push_back(Recording::trace_path(options.traces, identity));
  return paths;
}

/// In a replay, only incarnations that were recorded begin.
[[nodiscard]] bool may_begin(const std::string& identity, const std::optional<RunOrders>& orders) {
  if (!orders || orders->replay() == nullptr) return true;
  std::error_code unknown;
  return std::filesystem::exists(Recording::journal_path(orders->directory, identity), unknown);
}

[[nodiscard]] Expected<void> check_name(const ProcessOptions& options) {
  if (options.name.empty()) return failure("a process needs a name");
  if (incarnation_of(options.name).number != 1) {
    return failure(fmt::format("a process cannot be named {}: so ends the name of a later "
                               "incarnation",
                               options.name),
                   {}, 0, "set ProcessOptions::incarnation");
  }
  if (options.incarnation > most_incarnations) {
    return failure(fmt::format("incarnations are counted from 1 to {}", most_incarnations));
  }
  return {};
}

}  // namespace

ProcessIdentity::ProcessIdentity(ProcessIdentity&& other) noexcept
    : name_(std::move(other.name_)), files_(std::exchange(other.files_, {})) {}

ProcessIdentity::~ProcessIdentity() {
  for (const std::string& path : files_) std::remove(path.c_str());
}

/// Returns whether all of them could be made; none is there otherwise.
Expected<bool> ProcessIdentity::make(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0) {
      ::close(descriptor);
      files_.push_back(path);
    } else if (errno == EEXIST) {
      return false;
    } else {
      return failure(std::string("cannot be written: ") + std::strerror(errno), path);
    }
  }
  return true;
}

Expected<ProcessIdentity> ProcessIdentity::claim(const ProcessOptions& options,
                                                 const std::optional<RunOrders>& orders) {
  if (auto ok = check_name(options); !ok) return failure(ok.error());
  const bool said = options.incarnation != 0;
  const bool prompted = orders && orders->record() == nullptr;
  constexpr std::uint32_t most_unknown = 64;  // recorded incarnations may have gaps
  std::uint32_t unknown = 0;
  for (std::uint32_t n = said ? options.incarnation : 1; n <= most_incarnations; ++n) {
    ProcessIdentity identity(identity_of(options.name, n));
    if (!said && !may_begin(identity.name(), orders)) {
      if (++unknown < most_unknown) continue;
      return ProcessIdentity(options.name);  // opening its journal will fail
    }
    if (said && prompted) return identity;
    const auto paths = files_of(identity.name(), options, orders);
    const auto made = identity.make(paths);
    if (!made) return failure(made.error());
    if (*made) return identity;
    if (said) {
      return failure(
          fmt::format("there is a file of incarnation {} of {} already", n, options.name),
          paths.back(), 0, "leave ProcessOptions::incarnation out, or count on");
    }
  }
  return failure(fmt::format("{} has had too many incarnations", options.name));
}

}  // namespace lightcone
