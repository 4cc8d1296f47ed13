// What readers feed to a builder, and the last step of every reader.
#pragma once

#include <lightcone/causal/builder.h>
#include <lightcone/trace.h>

#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// Whether the names of a file's messages mean anything outside of it. Alone, they need not be
/// looked up where the file itself shows that they are distinct.
enum class FileScope { alone, among_others };

/// What a reader has to say beside the events that it fed to a builder.
struct ReaderResult {
  std::vector<std::string> notes = {};
  std::string header_extra = {};      ///< the unknown members of the header line, as JSON text
  bool cut_off = false;               ///< the file is torn at its end
  bool lost_processes = false;        ///< if it was cut off, nothing is left of what it said
  bool damaged = false;               ///< something is lost before its end
  std::vector<EventPlace> gaps = {};  ///< the first events after what is lost
  bool lost_start = false;            ///< what is lost may have been initial states
};

/// Builds a computation of all that the builder was fed.
[[nodiscard]] Expected<Reading> finish_reading(Builder& builder, ReaderResult fed,
                                               const ReadOptions& options);

/// A text of lines without a last line that has no end, if the text was cut off: nobody can tell
/// whether such a line is whole.
[[nodiscard]] std::string_view without_cut_line(std::string_view text, const ReadOptions& options);
/// Adds a note if such a line was left out.
[[nodiscard]] Expected<Reading> note_cut_line(Expected<Reading> reading, bool is_left_out);

/// What became of receives that lack a send and were kept.
[[nodiscard]] std::vector<std::string> repair_notes(const ReceivesWithoutSend& receives);
/// Of a trace that was cut off: so many events are left out, since they depend on what was lost.
[[nodiscard]] std::string prefix_note(std::uint64_t left_out);

}  // namespace lightcone
