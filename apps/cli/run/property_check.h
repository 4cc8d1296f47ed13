// Checks the properties of a file on one trace after the other.
#pragma once

#include <lightcone/error.h>
#include <lightcone/property/language/syntax.h>

#include <string>

namespace lightcone::cli {

/// A property file that was read.
class PropertyCheck {
 public:
  [[nodiscard]] static Expected<PropertyCheck> read(const std::string& path);

  struct Result {
    std::string failed;    ///< the names of those that failed; empty: none did
    bool unknown = false;  ///< one was not decided
  };
  /// Checks a trace.
  [[nodiscard]] Expected<Result> check(const std::string& trace) const;

 private:
  explicit PropertyCheck(Properties properties) : properties_(std::move(properties)) {}

  Properties properties_;
};

}  // namespace lightcone::cli
