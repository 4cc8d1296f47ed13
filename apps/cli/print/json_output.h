// The one JSON document that a command prints for other programs.
#pragma once

#include <lightcone/base/json.h>
#include <lightcone/check/json_documents.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "print/extent.h"

namespace lightcone::cli {

/// Prints the document on one line; bytes of names that are not UTF-8 become U+FFFD.
void print_json(const Json& document);

/// A string in quotes, as print_json would print it.
[[nodiscard]] std::string json_text(std::string_view text);

/// A document printed as it comes, member by member: for lists that are too long to hold, and
/// numbers that are too large for a machine word.
class JsonStream {
 public:
  explicit JsonStream(const Wholeness& wholeness);
  JsonStream(const JsonStream&) = delete;
  JsonStream& operator=(const JsonStream&) = delete;
  /// Ends the document.
  ~JsonStream();

  void text(std::string_view name, std::string_view value);
  void number(std::string_view name, std::uint64_t value);
  /// A number, as its digits.
  void number(std::string_view name, std::string_view digits);
  /// A member that is null.
  void nothing(std::string_view name);
  void begin_list(std::string_view name);
  /// The next value of the list, as JSON text.
  void add(std::string_view text);
  void end_list();

 private:
  void member(std::string_view name, std::string_view value);

  bool first_ = true;  // of the list
};

}  // namespace lightcone::cli
