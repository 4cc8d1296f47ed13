// A recording tells by its journals whether its traces may lack what came last.
#include <lightcone/run/recording/recorded_end.h>

#include "temporary_folder.h"

#include <gtest/gtest.h>
#include <lightcone/recording.h>
#include <lightcone/run/journal/journal.h>
#include <lightcone/trace/directory.h>
#include <lightcone/trace/lct/lct_appender.h>

#include <filesystem>

namespace lightcone {
namespace {

/// Two processes, each with a journal and a trace of as many events as it is asked for.
class RecordedEnds : public testing::Test {
 protected:
  void SetUp() override {
    Recording recording;
    recording.command = {"program"};
    ASSERT_TRUE(recording.write(folder_));
  }

  void write_journal(const std::string& process, std::uint64_t events, bool ends) const {
    JournalHeader header;
    header.process = process;
    auto writer = JournalWriter::create(Recording::journal_path(folder_, process), header);
    ASSERT_TRUE(writer) << writer.error().text();
    writer->note(events, 7);
    ASSERT_TRUE(ends ? writer->end() : writer->flush());
  }
  void write_trace(const std::string& process, int events) const {
    auto appender = LctAppender::open(Recording::trace_path(folder_, process));
    ASSERT_TRUE(appender) << appender.error().text();
    for (int i = 0; i < events; ++i) {
      lct::RowContent row;
      row.process = appender->process(process);
      appender->add(process, row);
    }
  }
  /// Reads the traces as a command does.
  [[nodiscard]] Reading reading() const {
    const auto end = recorded_end(folder_);
    EXPECT_TRUE(end.has_value());
    ReadOptions options;
    options.cut_off = end->cut_off;
    options.lost_processes = end->lost_processes;
    options.recorded_events = end->events;
    auto read = read_directory(folder_, options);
    EXPECT_TRUE(read) << read.error().text();
    return std::move(*read);
  }

  TemporaryFolder temporary_;
  const std::string& folder_ = temporary_.path();
};

TEST_F(RecordedEnds, AWholeRecordingIsNotCutOff) {
  for (const std::string process : {"p", "q"}) {
    write_journal(process, 3, true);
    write_trace(process, 3);
  }
  EXPECT_FALSE(recorded_end(folder_)->cut_off);
  EXPECT_EQ(reading().left_out, std::nullopt);
  EXPECT_TRUE(reading().notes.empty());
}

TEST_F(RecordedEnds, AJournalWithoutItsEndIsCutOff) {
  write_journal("p", 3, true);
  write_journal("q", 3, false);
  for (const std::string process : {"p", "q"}) write_trace(process, 3);
  EXPECT_TRUE(recorded_end(folder_)->cut_off);
  EXPECT_EQ(reading().left_out, 0U);
  EXPECT_FALSE(reading().lost_processes);
}

TEST_F(RecordedEnds, ATraceWithFewerEventsThanItsJournalIsCutOff) {
  write_journal("p", 3, true);
  write_trace("p", 2);
  EXPECT_FALSE(recorded_end(folder_)->cut_off);
  EXPECT_EQ(reading().left_out, 0U);
  ASSERT_FALSE(reading().notes.empty());
  EXPECT_EQ(reading().notes[0], "the trace of p has 2 of its 3 events");
}

TEST_F(RecordedEnds, AJournalWithoutATraceIsALostProcess) {
  write_journal("p", 3, true);
  write_trace("p", 3);
  write_journal("q", 3, true);
  EXPECT_TRUE(recorded_end(folder_)->cut_off);
  EXPECT_EQ(reading().left_out, 0U);
  EXPECT_TRUE(reading().lost_processes);
  EXPECT_EQ(reading().computation.process_count(), 2U);
}

TEST_F(RecordedEnds, OtherDirectoriesAreNoRecordings) {
  std::filesystem::remove(folder_ + "/recording.json");
  EXPECT_FALSE(recorded_end(folder_).has_value());
}

}  // namespace
}  // namespace lightcone
