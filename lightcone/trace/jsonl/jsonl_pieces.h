// Pieces of a JSON Lines trace: cut at the ends of lines, parsed, and fed to a builder.
#pragma once

#include <lightcone/causal/builder.h>
#include <lightcone/progress.h>
#include <lightcone/trace/jsonl/jsonl_parser.h>
#include <lightcone/trace/reader_result.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lightcone {

/// Some whole lines of the file, parsed.
struct JsonlPiece {
  std::vector<char> text;
  JsonlParser parser;  ///< keeps the strings of the lines
  JsonlLines parsed;
  std::optional<Error> error;  ///< instead of lines
  bool last = false;
  std::uint64_t cut_line = 0;  ///< the number of a last line that was cut off and left out; 0: none
};

/// Cuts what the source gives into lines and parses them, a piece at a time.
class JsonlPieceReader {
 public:
  using Source = std::function<Expected<std::size_t>(char* buffer, std::size_t size)>;
  /// When the source has come to its end: when it gives less than it was asked for, or, where it
  /// gives what there is so far, when it gives nothing.
  enum class End { less, nothing };
  /// What becomes of a last line that ends before its object does.
  enum class CutLine { error, left_out };

  JsonlPieceReader(Source source, std::uint64_t total, std::string name, Progress progress,
                   End end = End::less, CutLine cut_line = CutLine::error,
                   LineParser* other = nullptr)
      : source_(std::move(source)),
        total_(total),
        name_(std::move(name)),
        progress_(std::move(progress)),
        end_(end),
        cut_line_(cut_line),
        other_(other) {}

  /// The next piece: at least one line, but at the end of the source. It has no line that could
  /// not be had before more was read.
  void fill(JsonlPiece& piece);

 private:
  [[nodiscard]] Expected<std::size_t> read_text(std::vector<char>& text);
  [[nodiscard]] std::size_t without_cut_line(std::string_view text) const;

  Source source_;
  std::uint64_t total_;
  std::string name_;
  Progress progress_;
  End end_;
  CutLine cut_line_;
  LineParser* other_;  // for lines that are not JSON Lines; null: they are
  std::string rest_;   // the beginning of a line that the last piece did not hold whole
  std::uint64_t done_ = 0;
  std::uint64_t line_ = 0;
  bool ended_ = false;
};

/// Feeds parsed lines to a Builder. Without one, it only checks that they stand where they may, and
/// counts what it would note.
class JsonlFeeder {
 public:
  JsonlFeeder(std::string name, Builder* builder) : name_(std::move(name)), builder_(builder) {}

  /// The error names the line; those before it have been fed.
  [[nodiscard]] Expected<void> add(const JsonlPiece& piece);
  [[nodiscard]] ReaderResult finish();

 private:
  void add_header(const JsonlLine& line);
  void add_event(const JsonlLine& line);
  void add_attributes(const JsonlLine& line);
  [[nodiscard]] NameSetIndex name_set(JsonlLine::Range members);

  std::string name_;
  Builder* builder_;
  ReaderResult fed_;
  std::vector<MessageIndex> takes_;
  std::vector<NameIndex> name_buffer_;
  const JsonlLines* lines_ = nullptr;  // of the piece at hand
  bool some_added_ = false;
  std::size_t null_values_ = 0, null_times_ = 0;
};

}  // namespace lightcone
