// What the processes of a recorded program report to `record`: what they could not write, and that
// they receive messages without asking for them.
#pragma once

#include <lightcone/error.h>

#include <cstdint>
#include <string>
#include <vector>

namespace lightcone {

/// A file of a recording that could not be written further: the disk is full, say. It is whole up
/// to there.
struct LostWrite {
  std::string process;
  std::string file;
  std::uint64_t events = 0;  ///< of the process, that are in the file
  std::string why = {};

  /// As in `rank0.lct ends after event 17: No space left on device`.
  [[nodiscard]] std::string text() const;
  /// Tells `record`, which listens at this address. No file is needed, since disks may be full; it
  /// reaches a `record` on the same machine. An empty address reaches nothing.
  void tell(const std::string& address) const;
};

/// A process received a message that it has not asked for. Others cannot choose what it receives,
/// so it cannot be replayed or explored.
struct UnaskedReceive {
  std::string process;
  std::uint64_t event = 0;

  /// Tells `record` as above.
  void tell(const std::string& address) const;
};

/// Where `record` listens. Only processes of the same user are heard.
class LostWrites {
 public:
  [[nodiscard]] static Expected<LostWrites> listen();
  LostWrites(LostWrites&& other) noexcept;
  LostWrites& operator=(LostWrites&&) = delete;
  ~LostWrites();

  /// For LostWrite::tell.
  [[nodiscard]] const std::string& address() const { return address_; }
  /// What was told since the last call, without waiting.
  [[nodiscard]] std::vector<LostWrite> take();
  [[nodiscard]] std::vector<UnaskedReceive> take_unasked();

 private:
  LostWrites(int descriptor, std::string address);
  void hear();

  int descriptor_;
  std::string address_;
  std::vector<LostWrite> lost_;
  std::vector<UnaskedReceive> unasked_;
};

}  // namespace lightcone
