// Each system call of whoever writes fails once, and the disk is full at any byte: what was written
// before can be read, and whoever recorded is told.
#include <filesystem>
#include <random>

#include "faults/fault_count.h"
#include "system/shell.h"

namespace lightcone {
namespace {

class FailingCalls : public Shell {
 protected:
  void SetUp() override {
    Shell::SetUp();
    write("p.prop", "watch it : possibly any(process == \"oslo\")\n");
  }
  [[nodiscard]] static std::string program() {
    return " -- '" LIGHTCONE_EXAMPLES "/bank_transfer' --seed 3";
  }
  /// Below `rec` a call fails; whether it did is seen in `log`.
  [[nodiscard]] std::string with_fault(const std::string& fault) const {
    return "rm -rf log; FAULT_UNDER=$PWD/rec FAULT_LOG=$PWD/log " + fault +
           " LD_PRELOAD='" LIGHTCONE_FAILING_CALLS "' timeout 60 ";
  }
  [[nodiscard]] bool has_failed() const { return std::filesystem::exists(folder() / "log"); }
  [[nodiscard]] std::uint64_t events() const {
    const auto json = run("timeout 60 lightcone info --json rec").json();
    return json.is_object() ? json.value("events", std::uint64_t{0}) : 0;
  }
  /// What a fault may do to a recording, and what not.
  void expect_sound(const Result& recorded, std::uint64_t whole, const std::string& fault) const {
    EXPECT_LT(recorded.status, 124) << fault << recorded.err;
    const Result info = run("timeout 60 lightcone info rec");
    EXPECT_LT(info.status, 124) << fault << info.err;
    EXPECT_EQ(info.status == 0, info.err.find("lightcone: rec") == std::string::npos) << info.err;
    const std::uint64_t read = events();
    EXPECT_LE(read, whole) << fault;
    if (read < whole) {
      const bool told = recorded.status != 0 ||
                        recorded.err.find("cannot be written") != std::string::npos ||
                        recorded.err.find("incomplete") != std::string::npos;
      EXPECT_TRUE(told) << fault << ": " << read << " of " << whole << " events, and record says "
                        << recorded.err;
    }
    if (info.status == 0) {
      const int checked = run("timeout 60 lightcone check p.prop rec").status;
      EXPECT_TRUE(checked == 0 || checked == 2 || checked == 3) << fault << checked;
    }
    const Result replayed =
        run("timeout 60 lightcone replay rec --json --patience 0.3" + program());
    const bool same = replayed.json().is_object() && replayed.json()["same"] == true;
    EXPECT_TRUE(same || replayed.status == 2) << fault << replayed.status << replayed.err;
  }
};

TEST_F(FailingCalls, OfWhoRecords) {
  ASSERT_EQ(run("lightcone record --out rec" + program()).status, 0);
  const std::uint64_t whole = events(), most = fault_count("LIGHTCONE_FAULT_CALLS", 6);
  ASSERT_GT(whole, 20U);
  auto random = fault_random();
  std::uint64_t faults = 0, failed = 0, at = 0;
  for (std::uint64_t i = 0; i < most; ++i) {
    at += most < 10 ? 1 + random() % 8 : 1;
    const std::string fault = "FAULT_AT=" + std::to_string(at);
    const Result recorded =
        run("rm -rf rec; " + with_fault(fault) + "lightcone record --out rec" + program());
    if (!has_failed()) break;
    ++faults;
    const int before = failures_so_far();
    expect_sound(recorded, whole, fault + " (" + run("head -1 log").out + ")");
    failed += failures_so_far() > before ? 1 : 0;
  }
  add_to_table("calls of a recording that fail", faults, failed);
  EXPECT_GT(faults, 0U);
}

TEST_F(FailingCalls, BecauseTheDiskIsFull) {
  ASSERT_EQ(run("lightcone record --out rec" + program()).status, 0);
  const std::uint64_t whole = events(), most = fault_count("LIGHTCONE_FAULT_DISKS", 3);
  auto random = fault_random();
  std::uint64_t faults = 0, failed = 0;
  for (std::uint64_t i = 0; i < most; ++i) {
    const std::string fault = "FAULT_BYTES=" + std::to_string(random() % 3000);
    const Result recorded =
        run("rm -rf rec; " + with_fault(fault) + "lightcone record --out rec" + program());
    ++faults;
    const int before = failures_so_far();
    expect_sound(recorded, whole, fault);
    failed += failures_so_far() > before ? 1 : 0;
  }
  add_to_table("disks that are full", faults, failed);
}

/// A file that is converted is there whole or not at all.
TEST_F(FailingCalls, OfWhoConverts) {
  ASSERT_EQ(run("mkdir rec; lightcone generate --seed 3 --processes 4 --events 2000 -o in.jsonl && "
                "lightcone convert in.jsonl whole.lct")
                .status,
            0);
  std::uint64_t faults = 0, failed = 0;
  for (std::uint64_t at = 1;; ++at) {
    const std::string fault = "FAULT_AT=" + std::to_string(at);
    const Result converted = run("rm -rf rec/*; echo old > rec/out.lct; " + with_fault(fault) +
                                 "lightcone convert in.jsonl rec/out.lct");
    if (!has_failed()) break;
    ++faults;
    const int before = failures_so_far();
    EXPECT_TRUE(converted.status == 2 || converted.status == 0) << fault << converted.err;
    const Result left = run("ls rec; cmp rec/out.lct whole.lct || grep -x old rec/out.lct");
    EXPECT_EQ(left.status, 0) << fault << left.out;
    EXPECT_TRUE(has(left.out, {"out.lct\n"}, {"partial"})) << fault << left.out;
    EXPECT_EQ(converted.status == 0, run("cmp rec/out.lct whole.lct").status == 0) << fault;
    failed += failures_so_far() > before ? 1 : 0;
  }
  add_to_table("calls of a conversion that fail", faults, failed);
  EXPECT_GT(faults, 1U);
}

}  // namespace
}  // namespace lightcone
