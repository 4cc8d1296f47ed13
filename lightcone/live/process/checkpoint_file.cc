// Writes and reads the checkpoints of a process, and compares those of all.
#include <lightcone/live/process/checkpoint_file.h>

#include <lightcone/base/wire.h>
#include <lightcone/recording.h>
#include <lightcone/run/journal/journal_block.h>
#include <lightcone/snapshot.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>
#include <variant>

namespace lightcone {
namespace {

constexpr std::string_view magic = "\x89LCK\r\n\x1a\n";
constexpr std::uint32_t version = 1;
constexpr std::size_t header_size = 12;  // magic, version
/// A file can claim that a state is that of any number of checkpoints.
constexpr std::size_t most_listed = 1 << 16;

[[nodiscard]] std::string file_header() {
  WireWriter wire;
  wire.bytes() += magic;
  wire.fixed(version, 4);
  return std::move(wire.bytes());
}

[[nodiscard]] Expected<void> check_header(std::string_view bytes, const std::string& path) {
  if (!bytes.starts_with(magic)) return failure("is not a file of checkpoints", path);
  const std::uint64_t found = WireReader(bytes.substr(magic.size())).fixed(4);
  if (found == version) return {};
  return failure(fmt::format("holds checkpoints of version {}, and only version {} can be read",
                             found, version),
                 path, 0, "use the Lightcone that recorded them, or record the program again");
}

/// The checkpoints of one process, without states and contents.
struct Parts {
  std::vector<std::shared_ptr<const LocalPart>> states;
  std::vector<std::shared_ptr<const InTransitPart>> messages;

  void add(SnapshotPart part) {
    if (auto* state = std::get_if<LocalPart>(&part)) {
      state->state.clear();
      states.push_back(std::make_shared<const LocalPart>(std::move(*state)));
    } else {
      auto& message = std::get<InTransitPart>(part);
      message.contents.clear();
      messages.push_back(std::make_shared<const InTransitPart>(std::move(message)));
    }
  }
  /// The state of this checkpoint; null if there is none.
  [[nodiscard]] std::shared_ptr<const LocalPart> state(std::uint64_t number) const {
    const auto found = std::ranges::find_if(
        states, [&](const auto& part) { return part->snapshots.contains(number); });
    return found == states.end() ? nullptr : *found;
  }
  /// The last checkpoint at which the process had not ended.
  [[nodiscard]] std::uint64_t last() const {
    std::uint64_t last = 0;
    for (const auto& part : states) {
      if (part->snapshots.last != SnapshotRange::for_ever) {
        last = std::max(last, part->snapshots.last);
      }
    }
    return last;
  }
};

/// The parts of all processes of a recording.
struct AllParts {
  std::vector<std::string> names;
  std::vector<Parts> parts;

  [[nodiscard]] static Expected<AllParts> read(const std::string& directory) {
    auto names = Recording::processes(directory);
    if (!names) return failure(names.error());
    AllParts all{std::move(*names), {}};
    for (const std::string& name : all.names) {
      Parts& parts = all.parts.emplace_back();
      const auto done =
          CheckpointFile::read(Recording::checkpoints_path(directory, name),
                               [&](SnapshotPart part) { parts.add(std::move(part)); });
      if (!done) return failure(done.error());
    }
    return all;
  }
  [[nodiscard]] std::uint64_t last() const {
    std::uint64_t last = 0;
    for (const Parts& of : parts) last = std::max(last, of.last());
    return last;
  }
  /// The least number from this one on that may be complete: every process has a state for it.
  [[nodiscard]] std::uint64_t first_from(std::uint64_t number) const {
    for (const Parts& of : parts) {
      if (of.state(number)) continue;
      std::uint64_t next = SnapshotRange::for_ever;
      for (const auto& part : of.states) {
        if (part->snapshots.first > number) next = std::min(next, part->snapshots.first);
      }
      return next;
    }
    return number;
  }
  /// Why a checkpoint is not complete; empty if it is.
  [[nodiscard]] std::string lacks(std::uint64_t number) const {
    GlobalSnapshot snapshot(number, names);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const auto state = parts[i].state(number);
      if (!state) return fmt::format("{} has no part in it", names[i]);
      if (auto done = snapshot.add(state); !done) return done.error().what;
    }
    for (const Parts& of : parts) {
      for (const auto& message : of.messages) {
        if (!message->snapshots.contains(number)) continue;
        if (auto done = snapshot.add(message); !done) return done.error().what;
      }
    }
    return {};
  }
  [[nodiscard]] std::vector<std::uint64_t> complete() const {
    std::vector<std::uint64_t> complete;
    const std::uint64_t end = last();
    for (std::uint64_t number = 1; number <= end && complete.size() < most_listed;) {
      const std::uint64_t next = first_from(number);
      if (next == number && lacks(number).empty()) complete.push_back(number);
      number = next == number ? number + 1 : next;
    }
    return complete;
  }
};

}  // namespace

Expected<CheckpointFile> CheckpointFile::create(const std::string& path) {
  auto file = AppendedFile::open(path);
  if (!file) return failure(file.error());
  if (auto ok = file->cut(0); !ok) return failure(ok.error());
  if (auto ok = file->write(file_header()); !ok) return failure(ok.error());
  CheckpointFile checkpoints(std::move(*file));
  checkpoints.size_ = header_size;
  return checkpoints;
}

Expected<void> CheckpointFile::add(const SnapshotPart& part) {
  if (error_) return failure(*error_);
  const auto* state = std::get_if<LocalPart>(&part);
  if (state != nullptr && state->state.size() > longest_in_snapshot) {
    return failure("cannot hold a state of more than 256 MiB", file_.path());
  }
  const std::string block = journal::seal(encode(part), checksum_);
  if (auto ok = file_.write(block); !ok) {
    static_cast<void>(file_.cut(size_));  // a half part is of no use; readers pass over it, too
    error_ = ok.error();
    return ok;
  }
  size_ += block.size();
  return {};
}

Expected<void> CheckpointFile::read(const std::string& path,
                                    const std::function<void(SnapshotPart)>& each) {
  std::error_code unknown;
  if (!std::filesystem::exists(path, unknown)) return {};
  auto file = InputFile::open_regular(path);
  if (!file) return failure(file.error());
  const auto all = file->read_all();
  if (!all) return failure(all.error());
  std::string_view bytes = *all;
  if (bytes.size() < header_size && file_header().starts_with(bytes)) return {};
  if (auto ok = check_header(bytes, path); !ok) return ok;
  bytes.remove_prefix(header_size);
  const auto damaged = [&] {
    return failure("is damaged: a part is not as it was written", path, 0,
                   "restore the file from where it was recorded, or record the program again");
  };
  for (std::uint64_t checksum = 0; bytes.size() >= journal::block_header_size;) {
    const auto header = journal::block_header(bytes);
    const std::size_t size = journal::block_header_size + header.size;
    if (bytes.size() < size) break;  // torn
    if (journal::block_checksum(bytes.substr(0, size), checksum) != header.checksum) {
      return damaged();
    }
    checksum = header.checksum;
    auto part = decode_snapshot_part(bytes.substr(journal::block_header_size, header.size));
    if (!part) return damaged();
    each(std::move(*part));
    bytes.remove_prefix(size);
  }
  return {};
}

Expected<Beginning> read_beginning(const std::string& directory, std::string_view process,
                                   std::uint64_t number) {
  const std::string path = Recording::checkpoints_path(directory, process);
  std::optional<LocalPart> state;
  Beginning beginning;
  const auto done = CheckpointFile::read(path, [&](SnapshotPart part) {
    auto* local = std::get_if<LocalPart>(&part);
    if (local != nullptr && local->snapshots.contains(number)) state = std::move(*local);
    auto* message = std::get_if<InTransitPart>(&part);
    if (message != nullptr && message->snapshots.contains(number)) {
      beginning.in_transit.push_back(std::move(*message));
    }
  });
  if (!done) return failure(done.error());
  if (!state) return failure(fmt::format("holds no part of checkpoint {}", number), path);
  auto checkpoint = Checkpoint::decode(state->state);
  if (!checkpoint) return failure(checkpoint.error().what, path);
  beginning.checkpoint = std::move(*checkpoint);
  beginning.ended = state->snapshots.last == SnapshotRange::for_ever;
  return beginning;
}

Expected<std::vector<std::uint64_t>> complete_checkpoints(const std::string& directory) {
  const auto all = AllParts::read(directory);
  if (!all) return failure(all.error());
  return all->complete();
}

std::string ranges_of(const std::vector<std::uint64_t>& numbers) {
  std::string text;
  for (std::size_t first = 0, last = 0; first < numbers.size(); first = ++last) {
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (!text.empty()) text += ", ";
    text += std::to_string(numbers[first]);
    if (last != first) text += fmt::format(" to {}", numbers[last]);
  }
  return text;
}

Expected<void> must_be_complete(const std::string& directory, std::uint64_t number) {
  const auto all = AllParts::read(directory);
  if (!all) return failure(all.error());
  const bool exists = number != 0 && number <= all->last();
  const std::string lacks = exists ? all->lacks(number) : "there is no such checkpoint";
  if (lacks.empty()) return {};
  const auto complete = all->complete();
  return failure(
      fmt::format("cannot be replayed from checkpoint {}: {}", number, lacks), directory, 0,
      complete.empty() ? "it has no complete checkpoint: all its processes must say how to save "
                         "their state, and it must be recorded with `--checkpoint-every`"
                       : fmt::format("complete are {}", ranges_of(complete)));
}

}  // namespace lightcone
