// Packs what calls have filled in, and compares windows with what they held before.
#include "answers/contents_keeper.h"

#include <lightcone/base/wire.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "calls/mpi_functions.h"
#include "process/mpi_process.h"

namespace lightcone::mpi {
namespace {

using Kept = KeptContents::What;

/// Changes that are closer than this are one.
constexpr std::size_t close = 64;
/// Of a window, in one entry.
constexpr std::size_t most_at_once = 1 << 26;

/// In the order of their numbers, from 1; those that are not here are the last.
const std::array error_classes = {
    MPI_ERR_TRUNCATE,  MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE,     MPI_ERR_TAG,
    MPI_ERR_COMM,      MPI_ERR_RANK,   MPI_ERR_ROOT,  MPI_ERR_GROUP,    MPI_ERR_OP,
    MPI_ERR_TOPOLOGY,  MPI_ERR_DIMS,   MPI_ERR_ARG,   MPI_ERR_REQUEST,  MPI_ERR_INFO,
    MPI_ERR_IN_STATUS, MPI_ERR_WIN,    MPI_ERR_BASE,  MPI_ERR_LOCKTYPE, MPI_ERR_RMA_SYNC,
    MPI_ERR_NO_MEM,    MPI_ERR_INTERN, MPI_ERR_OTHER};

}  // namespace

MPI_Count size_of(const MPI_Status& status) {
  MPI_Count size = 0;
  LIGHTCONE_REAL(Get_elements_x)(&status, MPI_BYTE, &size);
  return size == MPI_UNDEFINED ? 0 : size;
}

std::uint64_t portable_error(int error) {
  if (error == MPI_SUCCESS) return 0;
  int error_class = MPI_ERR_OTHER;
  LIGHTCONE_REAL(Error_class)(error, &error_class);
  const auto place = std::find(error_classes.begin(), error_classes.end() - 1, error_class);
  return static_cast<std::uint64_t>(place - error_classes.begin()) + 1;
}

int error_of_portable(std::uint64_t number) {
  if (number == 0) return MPI_SUCCESS;
  return number <= error_classes.size() ? error_classes[number - 1] : MPI_ERR_OTHER;
}

void ContentsKeeper::enter(Kept what, std::uint64_t detail, std::string_view bytes) {
  rank_.enter(KeptContents{what, detail, bytes});
}

/// The journal would be read as if nothing had been received.
void ContentsKeeper::refuse(const char* what) const {
  std::fprintf(stderr, "lightcone: the contents of %s cannot be kept: record without --contents\n",
               what);
  MpiProcess::end(false);
  LIGHTCONE_REAL(Abort)(MPI_COMM_WORLD, 1);
  std::abort();
}

void ContentsKeeper::began(int size, const std::string& mpi) {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  const std::string words((std::istreambuf_iterator<char>(file)), {});
  WireWriter wire;
  wire.text(mpi);
  wire.text(words);
  enter(Kept::began, static_cast<std::uint64_t>(size), wire.bytes());
}

void ContentsKeeper::received(const Buffer& buffer, const MPI_Status& status, int error) {
  const auto bytes = pack_first(buffer, size_of(status));
  if (!bytes) refuse("a message");
  enter(Kept::received, portable_error(error), *bytes);
}

void ContentsKeeper::probed(const MPI_Status& status) {
  enter(Kept::probed, static_cast<std::uint64_t>(size_of(status)), {});
}

void ContentsKeeper::collective(const std::vector<Buffer>& results, int error) {
  std::string bytes;
  for (const Buffer& each : results) {
    if (error == MPI_SUCCESS && !pack_more(bytes, each)) refuse("a collective operation");
  }
  enter(Kept::collective, portable_error(error), bytes);
}

void ContentsKeeper::communicator(const CommunicatorFacts& facts, int error) {
  const bool is_made = error == MPI_SUCCESS;
  enter(Kept::communicator, portable_error(error), is_made ? facts.bytes() : std::string());
}

void ContentsKeeper::told(std::string_view text, int error) {
  enter(Kept::told, portable_error(error), text);
}

/// Others may have put something there already, so all of it is kept. Memory that is attached to a
/// window later is not looked at.
void ContentsKeeper::add_window(MPI_Win window) {
  void* base = nullptr;
  MPI_Aint* size = nullptr;
  int has_base = 0, has_size = 0;
  LIGHTCONE_REAL(Win_get_attr)(window, MPI_WIN_BASE, &base, &has_base);
  LIGHTCONE_REAL(Win_get_attr)(window, MPI_WIN_SIZE, &size, &has_size);
  Window added{key_of(window), ++made_windows_, static_cast<const char*>(base), {}};
  const bool has_memory = has_base != 0 && has_size != 0 && base != nullptr && *size > 0;
  if (has_memory) added.known.assign(added.base, static_cast<std::size_t>(*size));
  for (std::size_t at = 0; at < added.known.size(); at += most_at_once) {
    enter_change(added.number, at, std::string_view(added.known).substr(at, most_at_once));
  }
  windows_.push_back(std::move(added));
}

void ContentsKeeper::enter_change(std::uint64_t window, std::size_t at, std::string_view bytes) {
  WireWriter wire;
  wire.number(at);
  wire.bytes() += bytes;
  enter(Kept::window, window, wire.bytes());
}

void ContentsKeeper::remove_window(MPI_Win window) {
  std::erase_if(windows_, [&](const Window& each) { return each.key == key_of(window); });
}

void ContentsKeeper::note_windows() {
  for (Window& window : windows_) note(window);
}

void ContentsKeeper::note(Window& window) {
  const std::size_t size = window.known.size();
  char* const known = window.known.data();
  if (size == 0 || std::memcmp(known, window.base, size) == 0) return;
  for (std::size_t at = 0; at < size;) {
    if (known[at] == window.base[at]) {
      ++at;
      continue;
    }
    std::size_t end = at + 1;  // after the last change that is close to others
    for (std::size_t next = end; next < size && next < end + close; ++next) {
      if (known[next] != window.base[next]) end = next + 1;
    }
    end = std::min(end, at + most_at_once);
    std::memcpy(known + at, window.base + at, end - at);
    enter_change(window.number, at, {known + at, end - at});
    at = end;
  }
}

}  // namespace lightcone::mpi
