// Serves the page and its answers until the user interrupts.
#pragma once

#include <lightcone/error.h>
#include <lightcone/trace.h>

#include <optional>
#include <string>

#include "options/trace_arguments.h"

namespace lightcone::cli {

/// What to show, and how.
struct ViewOptions {
  TraceArguments trace;
  std::string properties;  ///< a property file; empty: none
  std::string second;      ///< another trace to compare with; empty: none
  std::string exported;    ///< the file to write; empty: serve
  int port = 0;            ///< 0: any that is free
  bool no_open = false;    ///< do not open a browser
};

/// An error if the program was built without the page.
[[nodiscard]] Expected<void> viewer_present();

/// Reads the property file; without one the text is empty.
[[nodiscard]] Expected<std::string> property_text(const ViewOptions& options);

/// The second trace is read in the same way as the first.
[[nodiscard]] TraceArguments second_arguments(const ViewOptions& options);
[[nodiscard]] Expected<Reading> read_second(const ViewOptions& options);

/// Prints the address of the page and answers its requests until SIGINT or SIGTERM.
[[nodiscard]] Expected<void> serve_view(const ViewOptions& options, Reading reading);

/// Writes the page with its data into one file.
[[nodiscard]] Expected<void> export_view(const ViewOptions& options, Reading reading);

}  // namespace lightcone::cli
