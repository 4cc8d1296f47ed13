// Builds, and notes what was repaired.
#include <lightcone/trace/feeding.h>

#include <fmt/format.h>

namespace lightcone {

Expected<Reading> finish_reading(Builder& builder, Fed fed, const ReadOptions& options) {
  builder.set_header_extra(std::move(fed.header_extra));
  const bool lenient = options.lenient || fed.has_lost_events;
  auto built = builder.build(lenient ? Unsent::make_internal : Unsent::error);
  if (!built) return failure(std::move(built.error()));
  Reading reading{std::move(*built), std::move(fed.notes)};
  if (const std::size_t count = builder.made_internal(); count > 0) {
    reading.notes.push_back(fmt::format("{} receive{} without a send taken as internal event{}",
                                        count, count == 1 ? "" : "s", count == 1 ? "" : "s"));
  }
  return reading;
}

}  // namespace lightcone
