// The bytes that the documents of formats explain are those that the library reads and writes.
#include "temporary_folder.h"

#include <gtest/gtest.h>
#include <lightcone/process.h>
#include <lightcone/run/journal/journal.h>
#include <lightcone/trace.h>
#include <lightcone/trace/lct/lct_block.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace lightcone {
namespace {

/// The bytes at the beginning of a line, two digits each, up to three spaces.
[[nodiscard]] std::string bytes_of(const std::string& line) {
  std::istringstream words(line.substr(0, line.find("   ", line.find_first_not_of(' '))));
  std::string bytes;
  for (std::string word; words >> word;) {
    EXPECT_EQ(word.size(), 2U) << line;
    bytes += static_cast<char>(std::stoi(word, nullptr, 16));
  }
  return bytes;
}

/// The lines of the indented block after `<!-- bytes: NAME -->`, as bytes.
[[nodiscard]] std::string annotated(const std::string& document, const std::string& name) {
  std::ifstream in(std::string(LIGHTCONE_SOURCE_DIR) + "/docs/formats/" + document);
  std::string line, bytes;
  while (std::getline(in, line) && line != "<!-- bytes: " + name + " -->") continue;
  while (std::getline(in, line) && line.starts_with("    ")) bytes += bytes_of(line);
  return bytes;
}

/// Bytes as a document writes them, so that a difference can be read and copied.
[[nodiscard]] std::string hex(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += {digits[byte / 16], digits[byte % 16], ' '};
  }
  return text;
}

TEST(AnnotatedBytes, OfLct) {
  const std::string trace = R"({"lightcone": 1, "processes": ["p", "q"]}
{"process": "p", "kind": "send", "message": "m1", "labels": ["ask"]}
{"process": "q", "kind": "receive", "message": "m1", "vars": {"x": 3}}
)";
  const auto reading = read_trace_text(trace, "tiny.jsonl", Format::jsonl);
  ASSERT_TRUE(reading.has_value());
  const std::string file = write_trace_text(reading->computation, Format::lct);
  EXPECT_EQ(hex(annotated("lct.md", "file")), hex(file.substr(0, 48)));
  std::string sections;
  lct::Columns columns;
  ASSERT_TRUE(lct::unseal(file, lct::find_block(file, 0), sections, columns));
  EXPECT_EQ(hex(annotated("lct.md", "sections")), hex(sections));
}

TEST(AnnotatedBytes, OfAJournal) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/rome1.journal";
  auto writer = JournalWriter::create(path, {"rome1", JournalKind::full, true});
  ASSERT_TRUE(writer.has_value()) << writer.error().text();
  std::uint64_t receive = 0;
  for (const char* name : {"oslo", "auditor"}) {
    const auto sender = writer->sender(name);
    ASSERT_TRUE(sender.has_value());
    ASSERT_TRUE(writer->add(ReceivedMessage{*sender, 1, ++receive}));
  }
  writer->note(5, 0xa6f66471);
  ASSERT_TRUE(writer->end());
  std::ifstream file(path, std::ios::binary);
  const std::string written(std::istreambuf_iterator<char>(file), {});
  EXPECT_EQ(hex(annotated("journal.md", "journal")), hex(written));
}

[[nodiscard]] std::unique_ptr<Process> started(const char* name) {
  ProcessOptions options;
  options.name = name;
  options.members = {"a", "b", "store"};
  options.properties =
      "forbid hasty : some longest flow contains write write\n"
      "forbid stale : some flow contains write -> read\n";
  options.clocks = true;
  auto process = Process::start(std::move(options));
  return process ? std::move(*process) : nullptr;
}

TEST(AnnotatedBytes, OfAnEnvelope) {
  const auto outsider = started("outsider"), store = started("store");
  ASSERT_TRUE(outsider != nullptr && store != nullptr);
  const std::string question = outsider->send("store", {.labels = {"write"}});
  store->receive(question, {.labels = {"write"}});
  EXPECT_EQ(hex(annotated("envelope.md", "envelope")), hex(store->send("a")));
}

}  // namespace
}  // namespace lightcone
