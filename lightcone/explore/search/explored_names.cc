// Names get the next number when they are met first.
#include <lightcone/explore/search/explored_names.h>

namespace lightcone {

std::uint32_t ExploredNames::number(Names& names, std::string_view name) {
  const std::lock_guard lock(mutex_);
  return static_cast<std::uint32_t>(names.intern(name));
}

std::string ExploredNames::process_name(std::uint32_t process) const {
  const std::lock_guard lock(mutex_);
  if (process >= processes_.size()) return "the outside";
  return std::string(processes_[NameIndex{process}]);
}

std::string ExploredNames::mailbox_name(std::uint32_t mailbox) const {
  const std::lock_guard lock(mutex_);
  if (mailbox >= mailboxes_.size()) return {};
  return std::string(mailboxes_[NameIndex{mailbox}]);
}

std::vector<std::string> ExploredNames::processes() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  for (std::uint32_t p = 0; p < processes_.size(); ++p) {
    names.emplace_back(processes_[NameIndex{p}]);
  }
  return names;
}

void ExploredNames::expect(const std::string& process) {
  const std::lock_guard lock(mutex_);
  expected_.insert(process);
}

std::set<std::string> ExploredNames::expected() const {
  const std::lock_guard lock(mutex_);
  return expected_;
}

}  // namespace lightcone
