// Writing a whole computation as lct.
#include <lightcone/trace/lct/lct.h>
#include <lightcone/trace/lct/lct_rows.h>

#include <vector>

namespace lightcone {
namespace {

class LctWriter {
 public:
  LctWriter(const Computation& computation, OutputFile& file)
      : computation_(computation),
        file_(file),
        local_name_(computation.names().size(), none),
        local_thing_(computation.names().size(), none),
        local_process_(computation.process_count(), none),
        rank_(computation.process_count(), 0),
        number_(computation.message_count(), none) {}

  void write(const Progress& progress) {
    file_.write(lct::file_header());
    rows_.set_header_extra(std::string(computation_.header_extra()));
    for (ProcessIndex p = 0; p < computation_.process_count(); ++p) process(p);
    for (ProcessIndex p = 0; p < computation_.process_count(); ++p) {
      if (!computation_.has_initial(p)) continue;
      add(p, Kind::initial, computation_.initial_row(p));
      if (rows_.full()) seal();
    }
    const auto order = computation_.order();
    for (std::size_t i = 0; i < order.size(); ++i) {
      add_event(order[i]);
      if (rows_.full()) {
        seal();
        if (progress) progress("writing", i, order.size());
      }
    }
    if (!rows_.empty()) seal();
  }

 private:
  void seal() {
    file_.write(rows_.seal(sequence_++));
    local_name_.assign(local_name_.size(), none);
    local_thing_.assign(local_thing_.size(), none);
    local_process_.assign(local_process_.size(), none);
  }

  std::uint32_t name(NameIndex index) {
    std::uint32_t& local = local_name_[static_cast<std::uint32_t>(index)];
    if (local == none) local = rows_.name(computation_.names()[index]);
    return local;
  }

  /// Of a receiver or a variable.
  std::uint32_t thing(NameIndex index) {
    std::uint32_t& local = local_thing_[static_cast<std::uint32_t>(index)];
    if (local == none) local = rows_.name_of_thing(computation_.names()[index]);
    return local;
  }

  std::uint32_t process(ProcessIndex p) {
    std::uint32_t& local = local_process_[p];
    if (local == none) local = rows_.process(computation_.process_name(p), rank_[p]);
    return local;
  }

  lct::MessageMention mention(MessageIndex m) {
    const bool first = number_[m] == none;
    if (first) number_[m] = messages_++;
    const MessageNames& all = computation_.message_names();
    return {number_[m], first, {computation_.names()[all.prefix[m]], all.number[m]}};
  }

  void add_event(EventIndex e) {
    row_ = {};
    takes_.clear();
    to_.clear();
    row_.duplicate = computation_.is_duplicate(e);
    for (const MessageIndex m : computation_.takes(e)) takes_.push_back(mention(m));
    if (const MessageIndex m = computation_.sends(e); m != none) row_.sends = mention(m);
    for (const NameIndex index : computation_.to(e)) to_.push_back(thing(index));
    row_.takes = takes_;
    row_.to = to_;
    const ProcessIndex p = computation_.process_of(e);
    add(p, computation_.kind(e), e);
    ++rank_[p];
    row_ = {};
  }

  void add(ProcessIndex p, Kind kind, Row row) {
    row_.process = process(p);
    row_.kind = kind;
    labels_.clear();
    for (const NameIndex label : computation_.labels(row)) labels_.push_back(name(label));
    row_.labels = labels_;
    variables_.clear();
    for (const Assignment& assignment : computation_.assignments(row)) {
      lct::RowContent::Variable variable{thing(assignment.variable), false};
      std::visit([&](auto value) { variable.value = local(value); }, assignment.value);
      variables_.push_back(variable);
    }
    row_.variables = variables_;
    row_.time = computation_.time(row);
    const Attributes& all = computation_.attributes();
    row_.text = named(all.text, row);
    row_.source = named(all.source, row);
    row_.extra = named(all.extra, row);
    row_.digest = computation_.digest(row).value_or(0);
    rows_.add(row_);
  }

  template <class T>
  [[nodiscard]] T local(T value) {
    return value;
  }
  [[nodiscard]] std::uint32_t local(NameIndex value) { return name(value); }

  std::optional<std::uint32_t> named(const std::vector<NameIndex>& column, Row row) {
    if (column.empty() || column[row] == NameIndex::none) return std::nullopt;
    return name(column[row]);
  }

  const Computation& computation_;
  OutputFile& file_;
  lct::Rows rows_;
  lct::RowContent row_;
  std::uint32_t sequence_ = 0;
  std::uint32_t messages_ = 0;
  std::vector<std::uint32_t> local_name_;     // indexed by NameIndex, for the current block
  std::vector<std::uint32_t> local_thing_;    // the same for what is known by its name
  std::vector<std::uint32_t> local_process_;  // indexed by process, for the current block
  std::vector<Rank> rank_;
  std::vector<std::uint32_t> number_;  // indexed by message: its number in the file
  std::vector<lct::MessageMention> takes_;
  std::vector<std::uint32_t> labels_, to_;
  std::vector<lct::RowContent::Variable> variables_;
};

}  // namespace

void write_lct(const Computation& computation, OutputFile& file, const Progress& progress) {
  LctWriter(computation, file).write(progress);
}

}  // namespace lightcone
