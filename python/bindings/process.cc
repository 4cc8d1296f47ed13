// `lightcone.Process`: one process of a distributed program, watched while it runs.
#include <lightcone/process.h>
#include <pybind11/stl.h>

#include <optional>
#include <span>

#include "errors.h"
#include "property_argument.h"
#include "trace_object.h"

namespace lightcone::python {
namespace {

/// What a callback raised in this thread. It is thrown when the call that led to it has ended.
thread_local std::optional<py::error_already_set> raised_in_callback;

void throw_raised() {
  if (!raised_in_callback) return;
  const py::error_already_set raised = std::move(*raised_in_callback);
  raised_in_callback.reset();
  throw raised;
}

/// Lives as long as a call of this thread to the library.
thread_local int calls_of_thread = 0;
struct CallOfThread {
  CallOfThread() { ++calls_of_thread; }
  CallOfThread(const CallOfThread&) = delete;
  CallOfThread& operator=(const CallOfThread&) = delete;
  ~CallOfThread() { --calls_of_thread; }
};

/// Calls the library without the GIL, which a callback takes again.
/// What the work holds goes without the GIL, too: it may be the last that holds a process, whose
/// end waits for a thread that calls back.
template <class Work>
auto unlocked(Work given) {
  const CallOfThread call;
  const auto run = [&] {
    const py::gil_scoped_release others_run;
    const Work work = std::move(given);
    return work();
  };
  if constexpr (std::is_void_v<decltype(run())>) {
    run();
    throw_raised();
  } else {
    auto result = run();
    throw_raised();
    return result;
  }
}

/// The functions of the program that a process calls, from any thread.
class Callbacks {
 public:
  Callbacks(py::object on_detection, py::object on_error)
      : on_detection_(std::move(on_detection)), on_error_(std::move(on_error)) {}
  Callbacks(const Callbacks&) = delete;
  Callbacks& operator=(const Callbacks&) = delete;
  ~Callbacks() {
    const py::gil_scoped_acquire locked;
    on_detection_ = py::object();
    on_error_ = py::object();
  }

  void detected(const Detection& found) const {
    call([&] { on_detection_(found); });
  }
  void failed(const Error& error) const {
    call([&] { on_error_(error_object(error)); });
  }
  [[nodiscard]] bool wants_detections() const { return !on_detection_.is_none(); }
  [[nodiscard]] bool wants_errors() const { return !on_error_.is_none(); }

 private:
  template <class Call>
  static void call(const Call& function) {
    const py::gil_scoped_acquire locked;
    try {
      function();
    } catch (py::error_already_set& raised) {
      // A thread of the library has no call that could raise it.
      if (calls_of_thread == 0) {
        raised.discard_as_unraisable("lightcone.Process");
      } else if (!raised_in_callback) {
        raised_in_callback = std::move(raised);
      }
    }
  }

  py::object on_detection_, on_error_;
};

/// The place of the call in Python: `file:line`; empty outside of Python code.
[[nodiscard]] std::string calling_line() {
  PyFrameObject* frame = PyEval_GetFrame();
  if (frame == nullptr) return {};
  const auto code =
      py::reinterpret_steal<py::object>(reinterpret_cast<PyObject*>(PyFrame_GetCode(frame)));
  return code.attr("co_filename").cast<std::string>() + ':' +
         std::to_string(PyFrame_GetLineNumber(frame));
}

using OwnedValue = std::variant<bool, std::int64_t, double, std::string>;

[[nodiscard]] OwnedValue owned_value(const py::handle& value) {
  if (py::isinstance<py::bool_>(value)) return value.cast<bool>();
  if (py::isinstance<py::str>(value)) return value.cast<std::string>();
  if (PyFloat_Check(value.ptr())) return value.cast<double>();
  if (PyIndex_Check(value.ptr())) return value.cast<std::int64_t>();
  throw py::type_error("a variable is a bool, an int, a float or a str");
}

/// What an event says, with all its texts.
class StateArguments {
 public:
  StateArguments(const py::args& labels, const py::object& variables, std::string text)
      : text_(std::move(text)), source_(calling_line()) {
    for (const py::handle label : labels) labels_.push_back(label.cast<std::string>());
    if (!variables.is_none()) {
      for (const auto& [name, value] : variables.cast<py::dict>()) {
        variables_.emplace_back(name.cast<std::string>(), owned_value(value));
      }
    }
    for (const std::string& label : labels_) label_views_.emplace_back(label);
    for (const auto& [name, value] : variables_) {
      variable_views_.emplace_back(
          name, std::visit([](const auto& known) { return LiveValue(known); }, value));
    }
  }
  StateArguments(const StateArguments&) = delete;
  StateArguments& operator=(const StateArguments&) = delete;

  [[nodiscard]] LiveState state() const {
    LiveState state;
    state.labels = std::span<const std::string_view>(label_views_);
    state.variables = std::span<const std::pair<std::string_view, LiveValue>>(variable_views_);
    state.text = text_;
    state.source = source_;
    return state;
  }

 private:
  std::vector<std::string> labels_;
  std::vector<std::pair<std::string, OwnedValue>> variables_;
  std::string text_, source_;
  std::vector<std::string_view> label_views_;
  std::vector<std::pair<std::string_view, LiveValue>> variable_views_;
};

/// One text, or several.
[[nodiscard]] std::vector<std::string> texts_of(const py::object& given) {
  if (given.is_none()) return {};
  if (py::isinstance<py::str>(given) || py::isinstance<py::bytes>(given)) {
    return {given.cast<std::string>()};
  }
  return given.cast<std::vector<std::string>>();
}

[[nodiscard]] std::vector<std::string_view> views_of(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

/// Shared while a call of another thread still uses it.
class ProcessObject {
 public:
  explicit ProcessObject(std::shared_ptr<Process> process) : process_(std::move(process)) {}
  ProcessObject(ProcessObject&&) = default;
  ProcessObject& operator=(ProcessObject&&) = delete;
  ~ProcessObject() {
    try {
      close();
    } catch (py::error_already_set& raised) {
      raised.discard_as_unraisable("lightcone.Process");
    }
  }

  [[nodiscard]] std::shared_ptr<Process> open() const {
    if (!process_) throw py::value_error("the process is closed");
    return process_;
  }
  void close() {
    if (auto ended = std::exchange(process_, nullptr)) unlocked([&] { ended.reset(); });
  }

 private:
  std::shared_ptr<Process> process_;
};

/// What a process is made of.
struct ProcessArguments {
  ProcessOptions options;
  py::object on_detection, on_error;
};

[[nodiscard]] ProcessObject started(ProcessArguments arguments, const StateArguments& initial) {
  const auto callbacks = std::make_shared<Callbacks>(arguments.on_detection, arguments.on_error);
  ProcessOptions& options = arguments.options;
  if (callbacks->wants_detections()) {
    options.on_detection = [callbacks](const Detection& found) { callbacks->detected(found); };
  }
  if (callbacks->wants_errors()) {
    options.on_error = [callbacks](const Error& error) { callbacks->failed(error); };
  }
  auto process = unlocked([&] { return Process::start(std::move(options), initial.state()); });
  return ProcessObject(value_or_raise(std::move(process)));
}

[[nodiscard]] Channels channels_named(const std::string& name) {
  if (name == "any") return Channels::any;
  if (name == "fifo") return Channels::fifo;
  throw py::value_error("channels are 'any' or 'fifo'");
}

[[nodiscard]] py::dict counts_of(const ProcessObject& object) {
  const ProcessCounts counts = object.open()->counts();
  py::dict all;
  all["events"] = counts.events;
  all["sent"] = counts.sent;
  all["received"] = counts.received;
  all["tag_bytes"] = counts.tag_bytes;
  all["without_tag"] = counts.without_tag;
  all["bad_tags"] = counts.bad_tags;
  all["redelivered"] = counts.redelivered;
  all["trace_failures"] = counts.trace_failures;
  all["unreported"] = counts.unreported;
  return all;
}

void define_detection(py::module_& module) {
  py::class_<Detection>(module, "Detection", "A property that was decided at an event.")
      .def_property_readonly("property", [](const Detection& d) { return text_of(d.property); })
      .def_property_readonly("verb", [](const Detection& d) { return text_of(name_of(d.verb)); })
      .def_readonly("failed", &Detection::failed,
                    "Whether it was forbidden and found, or required and is missing.")
      .def_property_readonly("process", [](const Detection& d) { return text_of(d.process); })
      .def_readonly("event", &Detection::event, "The rank of the event.")
      .def_readonly("labels", &Detection::labels)
      .def_readonly("variables", &Detection::variables)
      .def_readonly("source", &Detection::source, "Where the event was told, as 'file:line'.")
      .def("__str__", [](const Detection& d) { return text_of(d.line()); })
      .def("__repr__",
           [](const Detection& d) { return text_of("<lightcone.Detection: " + d.line() + ">"); });
}

void define_start(py::class_<ProcessObject>& process) {
  process.def(
      py::init([](std::string name, const py::object& properties, std::vector<std::string> members,
                  std::vector<std::string> labels, const py::object& trace,
                  const py::object& traces, const std::string& channels, bool clocks,
                  std::uint32_t incarnation, const py::object& vars, py::object on_detection,
                  py::object on_error, std::string report_to, std::string report_execution,
                  std::string report_token, std::string report_certificates) {
        ProcessArguments arguments{{}, std::move(on_detection), std::move(on_error)};
        ProcessOptions& options = arguments.options;
        options.name = std::move(name);
        PropertyArgument said = property_argument(properties);
        (said.is_path ? options.properties_file : options.properties) = std::move(said.text);
        options.members = std::move(members);
        options.labels = std::move(labels);
        const py::object path = py::module_::import("os").attr("fspath");
        options.trace = path(trace).cast<std::string>();
        options.traces = path(traces).cast<std::string>();
        options.channels = channels_named(channels);
        options.clocks = clocks;
        options.incarnation = incarnation;
        options.report_to = std::move(report_to);
        options.report_execution = std::move(report_execution);
        options.report_token = std::move(report_token);
        options.report_certificates = std::move(report_certificates);
        return started(std::move(arguments), StateArguments(py::args(), vars, {}));
      }),
      py::arg("name"), py::kw_only(), py::arg("properties") = "",
      py::arg("members") = std::vector<std::string>(),
      py::arg("labels") = std::vector<std::string>(), py::arg("trace") = "", py::arg("traces") = "",
      py::arg("channels") = "any", py::arg("clocks") = false, py::arg("incarnation") = 0,
      py::arg("vars") = py::none(), py::arg("on_detection") = py::none(),
      py::arg("on_error") = py::none(), py::arg("report_to") = "", py::arg("report_execution") = "",
      py::arg("report_token") = "", py::arg("report_certificates") = "",
      "Starts with the initial state of the process.\n\n"
      "properties: the text of a property file, or its path. trace: the lct file to write, or\n"
      "traces: the directory for it. members: processes known from the beginning, in the same\n"
      "order everywhere. labels: those of events, where a property file declares one of the same\n"
      "name. channels: 'any' or 'fifo'. clocks: whether to keep a vector clock. vars: the\n"
      "variables of the initial state. on_detection is called with a Detection at the event\n"
      "itself, on_error with an Error. report_to: HOST:PORT of a monitor that hears of each\n"
      "event, or tls://HOST:PORT. report_certificates: PEM file of those who sign its "
      "certificate.");
}

void define_calls(py::class_<ProcessObject>& process) {
  process
      .def(
          "event",
          [](const ProcessObject& self, const py::args& labels, const py::object& vars,
             std::string text) {
            const StateArguments said(labels, vars, std::move(text));
            unlocked([&, open = self.open()] { open->event(said.state()); });
          },
          py::arg("vars") = py::none(), py::arg("text") = "",
          "Makes an internal event with these labels.")
      .def(
          "send",
          [](const ProcessObject& self, const py::object& to, const py::args& labels,
             const py::object& vars, std::string text) {
            const StateArguments said(labels, vars, std::move(text));
            const std::vector<std::string> receivers = texts_of(to);
            return py::bytes(unlocked(
                [&, open = self.open()] { return open->send(views_of(receivers), said.state()); }));
          },
          py::arg("to"), py::arg("vars") = py::none(), py::arg("text") = "",
          "Makes the event of sending a message, with these labels. Returns its tag, as bytes.\n\n"
          "`to` is the name of the receiver, several names, or None if the transport chooses.")
      .def(
          "receive",
          [](const ProcessObject& self, const py::object& tags, const py::args& labels,
             const py::object& vars, std::string text) {
            const StateArguments said(labels, vars, std::move(text));
            std::vector<std::string> known = texts_of(tags);
            if (known.empty()) known.emplace_back();  // of a peer without Lightcone
            return text_of(unlocked(
                [&, open = self.open()] { return open->receive(views_of(known), said.state()); }));
          },
          py::arg("tag"), py::arg("vars") = py::none(), py::arg("text") = "",
          "Makes the event of receiving a message, by its tag, or several messages at once.\n\n"
          "Returns the name of the (first) sender; '' if there was no usable tag. None is the tag\n"
          "of a peer without Lightcone.");
}

}  // namespace

void define_process(py::module_& module) {
  define_detection(module);
  py::class_<ProcessObject> process(
      module, "Process",
      "One process of a distributed program, watched while it runs.\n\n"
      "It may be used from several threads. Its events happen in the order of the calls.");
  define_start(process);
  define_calls(process);
  process
      .def(
          "flush",
          [](const ProcessObject& self) {
            const auto flushed = unlocked([open = self.open()] { return open->flush(); });
            if (!flushed) throw RaisedError(flushed.error());
          },
          "Writes all that the trace has not written yet.")
      .def("counts", &counts_of, "Returns what the process has seen so far, as a dict.")
      .def(
          "clock",
          [](const ProcessObject& self) {
            py::dict clock;
            for (const auto& [name, entry] : self.open()->clock()) clock[text_of(name)] = entry;
            return clock;
          },
          "Returns the vector clock by process name, if it is kept.")
      .def_property_readonly("name",
                             [](const ProcessObject& self) { return text_of(self.open()->name()); })
      .def_property_readonly(
          "identity", [](const ProcessObject& self) { return text_of(self.open()->identity()); },
          "Its name with the number of its incarnation, as in tags and traces.")
      .def("close", &ProcessObject::close, "Ends the trace. Nothing more can be told.")
      .def("__enter__", [](const py::object& self) { return self; })
      .def("__exit__", [](ProcessObject& self, const py::args&) { self.close(); });
}

}  // namespace lightcone::python
