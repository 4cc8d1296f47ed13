// Reading JSON Lines as a stream.
#include <lightcone/trace/jsonl/jsonl.h>

#include <lightcone/trace/jsonl/jsonl_pieces.h>

#include <array>
#include <atomic>
#include <exception>
#include <memory>
#include <semaphore>
#include <thread>
#include <utility>

namespace lightcone {
namespace {

using Source = JsonlPieceReader::Source;

/// Parses on one thread and feeds the builder on another, with a few pieces going round between
/// them.
[[nodiscard]] Expected<void> feed_while_parsing(JsonlPieceReader& reader, JsonlPiece first,
                                                JsonlFeeder& feeder) {
  constexpr std::size_t pieces = 4;
  std::array<JsonlPiece, pieces> ring;
  ring[0] = std::move(first);
  std::counting_semaphore<pieces> parsed(1);
  std::counting_semaphore<pieces> empty(pieces - 1);
  std::atomic<bool> stop = false;
  std::exception_ptr problem;  // of the other thread; read after its last piece
  const auto parse = [&] {
    for (std::size_t i = 1;; ++i) {
      empty.acquire();
      if (stop) return;
      JsonlPiece& piece = ring[i % pieces];
      try {
        reader.fill(piece);
      } catch (...) {
        problem = std::current_exception();
      }
      const bool last = piece.last || problem != nullptr;
      parsed.release();
      if (last) return;
    }
  };
  const std::jthread parsing(parse);
  // However this ends: the other thread does not wait for an empty piece any more.
  auto end = [&](void*) {
    stop = true;
    empty.release();
  };
  const std::unique_ptr<void, decltype(end)> ending(&ring, end);
  for (std::size_t i = 0;; ++i) {
    parsed.acquire();
    if (problem != nullptr) std::rethrow_exception(problem);
    const JsonlPiece& piece = ring[i % pieces];
    auto added = feeder.add(piece);
    if (!added || piece.last) return added;
    empty.release();
  }
}

[[nodiscard]] Expected<ReaderResult> feed_from(const Source& source, std::uint64_t total,
                                               const std::string& name, const ReadOptions& options,
                                               Builder& builder, LineParser* parser = nullptr) {
  const auto cut_line =
      options.cut_off ? JsonlPieceReader::CutLine::left_out : JsonlPieceReader::CutLine::error;
  JsonlPieceReader reader(source, total, name, options.progress, JsonlPieceReader::End::less,
                          cut_line, parser);
  JsonlFeeder feeder(name, &builder);
  JsonlPiece first;
  reader.fill(first);
  const auto collected =
      first.last ? feeder.add(first) : feed_while_parsing(reader, std::move(first), feeder);
  if (!collected) return failure(collected.error());
  return feeder.finish();
}

[[nodiscard]] Source source_of(InputFile& file) {
  return [&file](char* buffer, std::size_t size) { return file.read(buffer, size); };
}

[[nodiscard]] Source source_of(std::string_view text) {
  return [text, done = std::size_t{0}](char* buffer,
                                       std::size_t size) mutable -> Expected<std::size_t> {
    const std::size_t count = text.copy(buffer, size, done);
    done += count;
    return count;
  };
}

[[nodiscard]] Expected<Reading> read_from(const Source& source, std::uint64_t total,
                                          const std::string& name, const ReadOptions& options,
                                          LineParser* parser) {
  Builder builder(name);
  auto fed = feed_from(source, total, name, options, builder, parser);
  if (!fed) return failure(std::move(fed.error()));
  return finish_reading(builder, std::move(*fed), options);
}

}  // namespace

Expected<ReaderResult> feed_jsonl(InputFile& file, const std::string& name,
                                  const ReadOptions& options, Builder& builder) {
  return feed_from(source_of(file), file.size(), name, options, builder);
}

Expected<Reading> read_jsonl(InputFile& file, const std::string& name, const ReadOptions& options) {
  return read_from(source_of(file), file.size(), name, options, nullptr);
}

Expected<Reading> read_jsonl(std::string_view text, const std::string& name,
                             const ReadOptions& options) {
  return read_from(source_of(text), text.size(), name, options, nullptr);
}

Expected<Reading> read_lines(InputFile& file, LineParser& parser, const std::string& name,
                             const ReadOptions& options) {
  return read_from(source_of(file), file.size(), name, options, &parser);
}

Expected<Reading> read_lines(std::string_view text, LineParser& parser, const std::string& name,
                             const ReadOptions& options) {
  return read_from(source_of(text), text.size(), name, options, &parser);
}

}  // namespace lightcone
