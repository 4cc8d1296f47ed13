// Who made a recording: this user on this machine, or someone else, whose command is not run
// unasked.
#pragma once

#include <lightcone/error.h>
#include <lightcone/run/recording/recording.h>

#include <string>

namespace lightcone::cli {

/// Writes the description of a recording of a program that runs in the current directory, with a
/// signature. The key is a random one in the user's state directory, which is made if there is
/// none: `$XDG_STATE_HOME/lightcone/key`, or `~/.local/state/lightcone/key`. Where no key can be
/// kept, the recording has no signature, and a note says so.
[[nodiscard]] Expected<void> write_signed(Recording recording, const std::string& directory);

/// Why the recorded command is not run unasked; empty if it may be: this user has signed this
/// description on this machine, and the current directory is the one where the program was run.
[[nodiscard]] std::string why_not_trusted(const Recording& recording);

}  // namespace lightcone::cli
