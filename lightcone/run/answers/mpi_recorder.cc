// Counts the wildcards that are open when one of them gets its message.
#include <lightcone/run/answers/mpi_recorder.h>

#include <algorithm>
#include <utility>

namespace lightcone {

Expected<MpiRecorder> MpiRecorder::create(const std::string& path, const JournalHeader& header) {
  auto writer = JournalWriter::create(path, header);
  if (!writer) return failure(writer.error());
  return MpiRecorder(std::move(*writer));
}

MpiRecorder MpiRecorder::missing(const std::string& path, const JournalHeader& header, Error why) {
  return MpiRecorder(JournalWriter::missing(path, header, std::move(why)));
}

std::uint64_t MpiRecorder::close(std::uint64_t choice) {
  if (!open_.empty() && open_.front() == choice) {
    open_.pop_front();
    return 0;
  }
  const auto place = std::lower_bound(open_.begin(), open_.end(), choice);
  LIGHTCONE_ASSERT(place != open_.end() && *place == choice);
  const auto older = static_cast<std::uint64_t>(place - open_.begin());
  open_.erase(place);
  return older;
}

}  // namespace lightcone
