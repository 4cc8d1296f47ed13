// Directories: the files together are what one file would be, and errors name the file to blame.
#include "temporary_folder.h"

#include <lightcone/trace/directory.h>

#include "model/generators/arbitrary.h"

#include <gtest/gtest.h>
#include <lightcone/trace/lct/lct_appender.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

namespace lightcone {
namespace {

namespace fs = std::filesystem;

/// A folder of its own for each test.
class Directory : public testing::Test {
 protected:
  [[nodiscard]] std::string path(const std::string& name) const { return folder_ + "/" + name; }
  void write(const std::string& name, std::string_view text) const {
    std::ofstream(path(name)) << text;
  }
  [[nodiscard]] Expected<Reading> reading(const ReadOptions& options = {}) const {
    return read_trace(folder_, Format::lct, options);
  }
  [[nodiscard]] std::string error() const {
    const auto read = reading();
    EXPECT_FALSE(read.has_value());
    return read ? "" : read.error().text();
  }

  /// A file with a send of each of these messages by this process.
  void write_sends(const std::string& name, const std::string& process, int from, int to) const {
    auto appender = LctAppender::open(path(name));
    ASSERT_TRUE(appender) << appender.error().text();
    for (int i = from; i < to; ++i) {
      const std::string message = "m" + std::to_string(i);
      lct::RowContent row;
      row.process = appender->process(process);
      row.kind = Kind::send;
      row.sends = appender->message(message);
      appender->add(process, row);
    }
  }

  TemporaryFolder temporary_;
  const std::string& folder_ = temporary_.path();
};

/// What each process does and says of it, leaving out what the lct files of this test leave out.
[[nodiscard]] std::map<std::string, std::vector<std::string>> summary(const Computation& c) {
  std::map<std::string, std::vector<std::string>> all;
  for (ProcessIndex p = 0; p < c.process_count(); ++p) {
    auto& lines = all[std::string(c.process_name(p))];
    const auto add = [&](Row row, std::string line) {
      for (const NameIndex label : c.labels(row)) line += " :" + std::string(c.names()[label]);
      lines.push_back(line);
    };
    add(c.initial_row(p), c.has_initial(p) ? "init" : "none");
    for (EventIndex e = c.first_event(p); e < c.end_event(p); ++e) {
      std::string line = std::to_string(static_cast<int>(c.kind(e)));
      for (const MessageIndex m : c.takes(e)) line += " <" + c.message_name(m);
      if (c.sends(e) != none) line += " >" + c.message_name(c.sends(e));
      add(e, line + (c.is_duplicate(e) ? " again" : ""));
    }
  }
  return all;
}

/// Writes what a process does as a program would that appends to an lct file.
void append_process(const Computation& c, ProcessIndex p, const std::string& path) {
  auto appender = LctAppender::open(path);
  RC_ASSERT(appender.has_value());
  const auto append = [&](Row row_index, Kind kind) {
    const bool event = kind != Kind::initial;
    lct::RowContent row;
    row.process = appender->process(c.process_name(p));
    row.kind = kind;
    std::vector<std::uint32_t> labels;
    for (const NameIndex label : c.labels(row_index)) {
      labels.push_back(appender->name(c.names()[label]));
    }
    row.labels = labels;
    std::vector<std::string> texts;  // outlive their mentions
    if (event) {
      for (const MessageIndex m : c.takes(row_index)) texts.push_back(c.message_name(m));
      if (c.sends(row_index) != none) texts.push_back(c.message_name(c.sends(row_index)));
      row.duplicate = c.is_duplicate(row_index);
    }
    std::vector<lct::MessageMention> mentions;
    for (const std::string& text : texts) mentions.push_back(appender->message(text));
    if (event && c.sends(row_index) != none) {
      row.sends = mentions.back();
      mentions.pop_back();
    }
    row.takes = mentions;
    appender->add(c.process_name(p), row);
  };
  if (c.has_initial(p)) append(c.initial_row(p), Kind::initial);
  for (EventIndex e = c.first_event(p); e < c.end_event(p); ++e) append(e, c.kind(e));
}

/// The lines of each process, each list after a header that names all.
[[nodiscard]] std::map<std::string, std::string> lines_by_process(const std::string& jsonl) {
  std::istringstream lines(jsonl);
  std::string header;
  std::getline(lines, header);
  std::map<std::string, std::string> all;
  for (std::string line; std::getline(lines, line);) {
    std::string& text = all[nlohmann::json::parse(line)["process"].get<std::string>()];
    if (text.empty()) text = header + "\n";
    text += line + "\n";
  }
  return all;
}

[[nodiscard]] std::vector<std::string> sorted_lines(const Computation& computation) {
  std::istringstream in(write_trace_text(computation, Format::jsonl));
  std::vector<std::string> lines;
  std::getline(in, lines.emplace_back());
  lines.clear();  // the header names the processes in another order
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  return lines;
}

TEST_F(Directory, JoinsWhatWasTakenApart) {
  arbitrary::for_all_computations("a file for each process", 200, [&](const Computation& c) {
    for (const auto& entry : fs::directory_iterator(folder_)) fs::remove_all(entry.path());
    std::size_t number = 0;
    for (const auto& [name, lines] : lines_by_process(write_trace_text(c, Format::jsonl))) {
      write(std::to_string(number++) + ".jsonl", lines);
    }
    if (number == 0) return;
    const auto read = reading();
    RC_ASSERT(read.has_value());
    RC_ASSERT(read->notes.empty());
    RC_ASSERT(sorted_lines(read->computation) == sorted_lines(c));
  });
}

TEST_F(Directory, JoinsFilesThatProgramsAppendedTo) {
  arbitrary::for_all_computations("lct and jsonl", 200, [&](const Computation& c) {
    for (const auto& entry : fs::directory_iterator(folder_)) fs::remove_all(entry.path());
    auto lines = lines_by_process(write_trace_text(c, Format::jsonl));
    for (ProcessIndex p = 0; p < c.process_count(); ++p) {
      const std::string name = std::to_string(p);
      if (p % 2 == 0) append_process(c, p, path(name + ".lct"));
      if (p % 2 == 1) write(name + ".jsonl", lines[std::string(c.process_name(p))]);
    }
    const auto read = reading();
    RC_ASSERT(read.has_value());
    RC_ASSERT(read->notes.empty());
    auto expected = summary(c);
    std::erase_if(expected, [&](const auto& entry) {  // no file speaks of them
      return entry.second.size() == 1 && !read->computation.find_process(entry.first);
    });
    RC_ASSERT(summary(read->computation) == expected);
  });
}

TEST_F(Directory, ReadsOnlyTraces) {
  write("b.jsonl", R"({"process": "b", "kind": "internal"})");
  write("a.jsonl", R"({"process": "a", "kind": "internal"})");
  write("notes.txt", "nonsense");
  write(".hidden.jsonl", "nonsense");
  write("old.jsonl~", "nonsense");
  fs::create_directory(path("deeper.jsonl"));
  fs::create_symlink(path("nowhere"), path("link.lct"));
  const auto read = reading();
  ASSERT_TRUE(read) << read.error().text();
  ASSERT_EQ(read->computation.process_count(), 2U);
  EXPECT_EQ(read->computation.process_name(0), "a");
}

TEST_F(Directory, RefusesWhatIsNoRegularFile) {
  write("a.jsonl", R"({"process": "a", "kind": "internal"})");
  ASSERT_EQ(::mkfifo(path("b.lct").c_str(), 0600), 0);
  EXPECT_NE(error().find("b.lct: is a FIFO"), std::string::npos) << error();
  fs::remove(path("b.lct"));
  fs::create_symlink("/dev/zero", path("c.jsonl"));
  EXPECT_NE(error().find("c.jsonl: is a device"), std::string::npos) << error();
}

TEST_F(Directory, WithoutTracesIsAnError) {
  EXPECT_EQ(error(), folder_ +
                         ": is a directory without traces\n"
                         "  of a directory, the files named *.lct and *.jsonl are read, or else "
                         "*.log");
}

TEST_F(Directory, AProcessInTwoFilesIsAnErrorThatNamesBoth) {
  write("a.jsonl", R"({"process": "p", "kind": "internal"})");
  write("b.jsonl",
        "{\"process\": \"q\", \"kind\": \"internal\"}\n\n"
        "{\"process\": \"p\", \"kind\": \"internal\"}\n");
  EXPECT_TRUE(error().starts_with(path("b.jsonl") + ":3: process p has events here and in " +
                                  path("a.jsonl") + "\n"));
  fs::remove(path("a.jsonl"));
  write_sends("a.lct", "q", 0, 3);
  EXPECT_TRUE(error().starts_with(path("b.jsonl") + ":1: process q has events here and in " +
                                  path("a.lct") + "\n"));
}

TEST_F(Directory, ErrorsNameFileAndLine) {
  const std::string send = R"({"process": "p", "kind": "send", "message": "m"})"
                           "\n";
  const std::string receive = R"({"process": "q", "kind": "receive", "message": "m"})"
                              "\n";
  write("a.jsonl", send);
  write("b.jsonl", receive + receive);
  EXPECT_TRUE(error().starts_with(path("b.jsonl") + ":2: message m is received a second time"));
  write("b.jsonl", receive + "{");
  EXPECT_TRUE(error().starts_with(path("b.jsonl") + ":2: broken JSON"));
  write("b.jsonl", R"({"process": "q", "kind": "send", "message": "m"})");
  EXPECT_TRUE(error().starts_with(path("b.jsonl") + ":1: message m is sent a second time"));
  write("b.jsonl",
        "\n"
        R"({"process": "q", "kind": "receive", "message": "other"})");
  EXPECT_TRUE(error().starts_with(path("b.jsonl") + ":2: message other is received but never"));
  write("b.jsonl", receive + R"({"process": "q", "kind": "init"})");
  EXPECT_TRUE(error().starts_with(path("b.jsonl") + ":2: a process has at most one initial state"));
  write("a.jsonl", R"({"process": "p", "kind": "receive", "message": "n"})"
                   "\n" +
                       send);
  write("b.jsonl", receive + R"({"process": "q", "kind": "send", "message": "n"})");
  const std::string cycle = error();
  EXPECT_NE(cycle.find("on line 1 of " + path("a.jsonl")), std::string::npos) << cycle;
  EXPECT_NE(cycle.find("on line 2 of " + path("b.jsonl")), std::string::npos) << cycle;
  write("c.lct", "no lct");
  EXPECT_TRUE(error().starts_with(path("c.lct") + ": is not an lct file"));
}

TEST_F(Directory, LenientTakesReceivesWithoutASendAsInternal) {
  write("a.jsonl", R"({"process": "p", "kind": "receive", "message": "lost"})");
  EXPECT_FALSE(reading());
  const auto read = reading({.lenient = true});
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->notes.size(), 1U);
  EXPECT_EQ(read->computation.kind(0), Kind::internal);
  EXPECT_TRUE(read->incomplete);
  EXPECT_EQ(read->doubts.receives, (std::vector<EventPlace>{{0, 1}}));
}

TEST_F(Directory, ATornFileIsNotedByName) {
  write_sends("a.lct", "p", 0, 4);
  write_sends("a.lct", "p", 4, 8);  // a second block
  fs::resize_file(path("a.lct"), fs::file_size(path("a.lct")) - 3);
  write("b.jsonl", R"({"process": "q", "kind": "receive", "message": "m1"})"
                   "\n"
                   R"({"process": "q", "kind": "receive", "message": "m6"})");
  write("c.lct", "");
  const auto read = reading();
  ASSERT_TRUE(read) << read.error().text();
  ASSERT_EQ(read->notes.size(), 3U);
  EXPECT_TRUE(read->notes[0].starts_with(path("a.lct") + ": the file is torn at its end: "));
  EXPECT_EQ(read->notes[1], path("c.lct") + ": the file is torn before its first event");
  EXPECT_EQ(read->notes[2],
            "the trace was cut off: 1 event is left out, since it depends on what was lost");
  EXPECT_EQ(read->computation.event_count(), 5U);
  EXPECT_EQ(read->computation.edge_count(), 1U);
  EXPECT_EQ(read->left_out, 1U);
  EXPECT_TRUE(read->lost_processes);  // whose trace c.lct was
  EXPECT_FALSE(read->incomplete);
}

TEST_F(Directory, MessagesWhoseNamesAreLostAreNotTakenForEachOther) {
  // In both files number 0 is mentioned in a block that is damaged, and sent or taken in the next.
  for (const bool sends : {true, false}) {
    auto appender = LctAppender::open(path(sends ? "a.lct" : "b.lct"));
    ASSERT_TRUE(appender);
    const std::string process = sends ? "p" : "q";
    const std::string message = sends ? "from p" : "from r";
    const std::array first{appender->message(message)};
    const std::array again{lct::MessageMention{first[0].number, false, {}}};
    for (const auto& taken : {first, again}) {
      lct::RowContent row;
      row.process = appender->process(process);
      row.kind = Kind::receive;
      row.duplicate = taken[0].number == 0 && !taken[0].first;
      row.takes = taken;
      if (sends && !taken[0].first) {
        row = {};
        row.process = appender->process(process);
        row.kind = Kind::send;
        row.sends = again[0];
      }
      appender->add(process, row);
      ASSERT_TRUE(appender->flush());
    }
  }
  for (const char* name : {"a.lct", "b.lct"}) {
    std::fstream file(path(name), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(16 + 8 + 2);  // in the checksum of the first block
    file.put('!');
  }
  const auto read = reading();
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->computation.event_count(), 2U);
  EXPECT_EQ(read->computation.edge_count(), 0U);
}

TEST_F(Directory, KeepsTheFirstHeadersUnknownMembers) {
  write("a.jsonl", "{\"lightcone\": 1, \"k\": 1}\n{\"process\": \"p\", \"kind\": \"internal\"}");
  write("b.jsonl", "{\"lightcone\": 1, \"k\": 1}\n{\"process\": \"q\", \"kind\": \"internal\"}");
  write("c.jsonl", "{\"lightcone\": 1, \"k\": 2}\n{\"process\": \"r\", \"kind\": \"internal\"}");
  const auto read = reading();
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->computation.header_extra(), "\"k\": 1");
  ASSERT_EQ(read->notes.size(), 1U);
  EXPECT_TRUE(read->notes[0].starts_with(path("c.jsonl") + ": the unknown members"));
}

TEST_F(Directory, TellsHowFarItIs) {
  write_sends("a.lct", "p", 0, 100);
  write("b.jsonl", R"({"process": "q", "kind": "internal"})");
  const std::uint64_t all = fs::file_size(path("a.lct")) + fs::file_size(path("b.jsonl"));
  std::vector<std::uint64_t> told;
  const auto read =
      reading({.progress = [&](std::string_view, std::uint64_t done, std::uint64_t total) {
        EXPECT_EQ(total, all);
        told.push_back(done);
      }});
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  EXPECT_EQ(told.back(), all);
}

}  // namespace
}  // namespace lightcone
