// Verdicts as tables show them.
#pragma once

#include <lightcone/check.h>

#include <string>

#include "print/terminal.h"

namespace lightcone::cli {

/// Returns the word for a verdict; `FAIL` stands out.
[[nodiscard]] inline std::string painted(Verdict verdict, const Paint& paint) {
  switch (verdict) {
    case Verdict::pass: return paint.green("pass");
    case Verdict::fail: return paint.red("FAIL");
    case Verdict::info: return paint.cyan("info");
    case Verdict::unknown: break;
  }
  return paint.yellow("unknown");
}

}  // namespace lightcone::cli
