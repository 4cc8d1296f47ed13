// An exploration in names.
#include <lightcone/explore/explorer.h>

#include <fmt/format.h>

namespace lightcone {

NamedGuide Explorer::guide() const {
  NamedGuide named{.names = {}, .guide = exploration_.guide()};
  named.guide.processes.resize(processes_.size());
  for (std::uint32_t p = 0; p < processes_.size(); ++p) {
    named.names.emplace_back(processes_[NameIndex{p}]);
  }
  return named;
}

std::string Explorer::trouble() const {
  const auto& trouble = exploration_.trouble();
  if (!trouble) return {};
  const auto name = [&](std::uint32_t process) {
    return process < processes_.size() ? processes_[NameIndex{process}] : "the outside";
  };
  using What = Exploration::Trouble::What;
  switch (trouble->what) {
    case What::second_reader:
      return fmt::format(
          "{} waits at mailbox {}, which {} reads: it cannot be explored who of "
          "several readers gets a message",
          name(trouble->process), mailboxes_[NameIndex{trouble->mailbox}], name(trouble->other));
    case What::second_closing:
      return fmt::format("{} closes the network, and {} does so independently",
                         name(trouble->process), name(trouble->other));
    case What::early_closing: return "the network is closed before the execution begins";
    case What::difference:
      return fmt::format(
          "{} did something else than before, after the same choices: what it does "
          "must depend on them alone",
          name(trouble->process));
  }
  return {};
}

}  // namespace lightcone
