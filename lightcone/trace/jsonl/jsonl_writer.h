// The lines of a JSON Lines trace, one by one, also for formats that hold them inside.
#pragma once

#include <lightcone/computation.h>

#include <memory>
#include <string_view>

namespace lightcone {

/// Makes the lines of a computation, without their ends. A line holds until the next is made.
class JsonlLineWriter {
 public:
  explicit JsonlLineWriter(const Computation& computation);
  ~JsonlLineWriter();
  JsonlLineWriter(const JsonlLineWriter&) = delete;
  JsonlLineWriter& operator=(const JsonlLineWriter&) = delete;

  [[nodiscard]] std::string_view header();
  [[nodiscard]] std::string_view initial(ProcessIndex p);
  [[nodiscard]] std::string_view event(EventIndex e);

 private:
  class Lines;
  std::unique_ptr<Lines> lines_;
};

}  // namespace lightcone
