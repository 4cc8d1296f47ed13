// Traces of all text formats in gzip and zstd.
#include "temporary_folder.h"

#include <lightcone/base/compression/compression.h>
#include <lightcone/trace.h>
#include <lightcone/trace/format_detection.h>

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "model/generators/arbitrary.h"

namespace lightcone {
namespace {

class CompressedTraces : public testing::Test {
 protected:
  [[nodiscard]] std::string path(const std::string& name) const {
    return folder_.path() + "/" + name;
  }
  [[nodiscard]] static std::string bytes_of(const std::string& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
  }
  static void put(const std::string& file, std::string_view bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
  }

  TemporaryFolder folder_{TemporaryFolder::in_memory()};
};

TEST_F(CompressedTraces, ComeBack) {
  arbitrary::for_all_computations("compressed", 200, [&](const Computation& c) {
    for (const char* name : {"t.jsonl.gz", "t.jsonl.zst", "t.trace.json.gz", "t.trace.json.zst"}) {
      const Format format = format_of(name).value();
      RC_ASSERT(write_trace(c, path(name), format).has_value());
      RC_ASSERT(compression_in(bytes_of(path(name))) == compression_of(name));
      RC_ASSERT(detect_format(path(name)).value() == format);
      const auto again = read_trace(path(name), format);
      if (!again) RC_FAIL(again.error().text());
      RC_ASSERT(write_trace_text(again->computation, Format::jsonl) ==
                write_trace_text(c, Format::jsonl));
    }
  });
}

TEST_F(CompressedTraces, HoldWhatTheTextHolds) {
  arbitrary::for_all_computations("compressed text", 100, [&](const Computation& c) {
    for (const Format format : {Format::shiviz, Format::clocks}) {
      const std::string file = path(std::string("t.") + std::string(name_of(format)) + ".gz");
      RC_ASSERT(write_trace(c, file, format).has_value());
      const std::string text = write_trace_text(c, format);
      const auto packed = read_trace(file, format);
      const auto plain = read_trace_text(text, "plain", format);
      RC_ASSERT(packed.has_value() == plain.has_value());
      if (!packed) return;
      RC_ASSERT(packed->computation.event_count() == plain->computation.event_count());
      RC_ASSERT(packed->computation.edge_count() == plain->computation.edge_count());
    }
  });
}

TEST_F(CompressedTraces, AreFoundByTheirBytes) {
  const auto reading =
      read_trace_text("{\"process\": \"p\", \"kind\": \"internal\"}\n", "t", Format::jsonl);
  ASSERT_TRUE(write_trace(reading->computation, path("t.jsonl.gz"), Format::jsonl));
  std::filesystem::rename(path("t.jsonl.gz"), path("odd.name"));
  EXPECT_EQ(detect_format(path("odd.name")).value(), Format::jsonl);
  EXPECT_EQ(read_trace(path("odd.name"), Format::jsonl)->computation.event_count(), 1U);
}

TEST_F(CompressedTraces, TornOnesAreReadAsFarAsTheyGo) {
  std::string text;
  for (int i = 0; i < 20000; ++i) {
    text += "{\"process\": \"p\", \"kind\": \"internal\", \"vars\": {\"x\": " +
            std::to_string(i * 7919 % 10007) + "}}\n";
  }
  const auto reading = read_trace_text(text, "t", Format::jsonl);
  for (const char* name : {"t.jsonl.gz", "t.jsonl.zst"}) {
    ASSERT_TRUE(write_trace(reading->computation, path(name), Format::jsonl));
    const std::string whole = bytes_of(path(name));
    put(path(name), std::string_view(whole).substr(0, whole.size() / 2));
    const auto strict = read_trace(path(name), Format::jsonl);
    ASSERT_FALSE(strict);
    EXPECT_NE(strict.error().what.find("cut off after"), std::string::npos);
    EXPECT_EQ(strict.error().file, path(name));
    const auto prefix = read_trace(path(name), Format::jsonl, {.cut_off = true});
    ASSERT_TRUE(prefix) << prefix.error().text();
    EXPECT_GT(prefix->computation.event_count(), 1000U);
    EXPECT_LT(prefix->computation.event_count(), 20000U);
    EXPECT_NE(prefix->notes.back().find("is cut off"), std::string::npos);
  }
}

TEST_F(CompressedTraces, StandInDirectories) {
  const auto one = read_trace_text("{\"process\": \"p\", \"kind\": \"send\", \"message\": \"m\"}\n",
                                   "t", Format::jsonl);
  const auto two =
      read_trace_text("{\"process\": \"q\", \"kind\": \"receive\", \"message\": \"m\"}\n", "t",
                      Format::jsonl, {.lenient = true});
  ASSERT_TRUE(one && two);
  ASSERT_TRUE(write_trace(one->computation, path("p.jsonl.gz"), Format::jsonl));
  put(path("q.jsonl"), "{\"process\": \"q\", \"kind\": \"receive\", \"message\": \"m\"}\n");
  const auto all = read_trace(folder_.path(), Format::lct);
  ASSERT_TRUE(all) << all.error().text();
  EXPECT_EQ(all->computation.edge_count(), 1U);
}

TEST_F(CompressedTraces, LctIsCompressedAlready) {
  const auto written = write_trace(Computation(), path("t.lct.gz"), Format::lct);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().what, "lct is compressed already");
  EXPECT_FALSE(std::filesystem::exists(path("t.lct.gz")));
}

}  // namespace
}  // namespace lightcone
