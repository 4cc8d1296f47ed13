"""Live processes: events, tags, detections, threads, and programs in C++ beside them."""

import ctypes
import gc
import glob
import json
import os
import queue
import socket
import threading

import lightcone
from program import TraceTest

STALE = "forbid stale : some flow at read ends with write -> read without invalidate\n"


class LiveProcess(TraceTest):
    def test_what_is_detected_live_is_what_a_check_finds(self):
        found = []
        store = lightcone.Process("store", properties=STALE, traces=self.folder)
        cache = lightcone.Process("cache", properties=STALE, traces=self.folder,
                                  on_detection=found.append)
        store.event("write", vars={"version": 7, "fresh": True, "share": 0.5, "who": "me"})
        tag = store.send("cache")
        self.assertIsInstance(tag, bytes)
        self.assertEqual(cache.receive(tag, "read", text="the first"), "store")
        self.assertEqual([(d.property, d.process, d.event, d.failed, d.labels) for d in found],
                         [("stale", "cache", 1, True, ["read"])])
        self.assertIn(os.path.basename(__file__), found[0].source)
        self.assertIn("stale", str(found[0]))
        store.close()
        cache.close()
        trace = lightcone.read(self.folder)
        self.assertEqual(trace.check(STALE).properties[0].at, [("cache", 1)])
        self.assertEqual(trace.event("store", 1).vars,
                         {"version": 7, "fresh": True, "share": 0.5, "who": "me"})
        self.assertEqual(trace.event("cache", 1).text, "the first")
        self.assertIn(os.path.basename(__file__) + ":", trace.event("cache", 1).source)

    def test_what_a_callback_raises_reaches_the_call(self):
        def refuse(found):
            raise RuntimeError(found.property)

        with lightcone.Process("p", properties="forbid x : some flow at a contains a",
                               on_detection=refuse) as process:
            with self.assertRaisesRegex(RuntimeError, "x"):
                process.event("a")
            process.event("b")
            self.assertEqual(process.counts()["events"], 2)

    def test_a_process_that_is_closed_during_a_call_ends(self):
        for _ in range(3):
            process = lightcone.Process("p", on_error=lambda error: None,
                                        report_to="127.0.0.1:1")

            def work():
                try:
                    while True:
                        process.event("a")
                except ValueError:
                    pass  # it was closed

            thread = threading.Thread(target=work, daemon=True)
            thread.start()
            process.event("b")
            process.close()
            thread.join(60)
            self.assertFalse(thread.is_alive())

    def test_tags_that_cannot_be_used_are_told(self):
        errors = []
        with lightcone.Process("p", on_error=errors.append) as process:
            self.assertEqual(process.receive(b"\xc1garbage"), "")
            self.assertEqual(process.receive(None), "")
            counts = process.counts()
        self.assertEqual((counts["bad_tags"], counts["without_tag"]), (1, 1))
        self.assertIsInstance(errors[0], lightcone.Error)
        with self.assertRaises(ValueError):
            process.event("a")

    def test_clocks_and_several_messages_at_once(self):
        with lightcone.Process("a", clocks=True) as a, lightcone.Process("b", clocks=True) as b:
            tags = [a.send("b"), a.send(["b", "c"]), a.send(None)]
            self.assertEqual(b.receive(tags), "a")
            self.assertEqual(b.clock(), {"a": 3, "b": 1})
            self.assertEqual((b.name, b.counts()["received"]), ("b", 1))

    def test_bad_arguments_are_errors(self):
        with self.assertRaises(lightcone.Error) as raised:
            lightcone.Process("p", properties="forbid ( ")
        self.assertEqual(raised.exception.line, 1)
        with self.assertRaises(ValueError):
            lightcone.Process("p", channels="some")
        with lightcone.Process("p") as process:
            with self.assertRaises(TypeError):
                process.event("a", vars={"x": []})

    def test_threads_share_processes(self):
        """Each thread makes events of both; callbacks come in the thread of the event."""
        threads, rounds, found = 4, 300, []
        properties = "watch seen : some flow at take contains give"
        with lightcone.Process("a", properties=properties, traces=self.folder) as a, lightcone.Process(
                "b", properties=properties, traces=self.folder,
                on_detection=lambda d: found.append(threading.get_ident())) as b:
            idents = []

            def run():
                idents.append(threading.get_ident())
                for _ in range(rounds):
                    b.receive(a.send("b", "give"), "take")

            running = [threading.Thread(target=run) for _ in range(threads)]
            for thread in running:
                thread.start()
            for thread in running:
                thread.join()
        self.assertEqual(len(found), threads * rounds)
        self.assertLessEqual(set(found), set(idents))
        self.assertEqual(lightcone.read(self.folder).info().edges, threads * rounds)

    def test_a_process_that_is_forgotten_ends_its_trace(self):
        process = lightcone.Process("p", trace=self.path("p.lct"))
        process.event("a")
        del process
        gc.collect()
        self.assertEqual(len(lightcone.read(self.path("p.lct"))), 1)

    def test_services_in_python_talk_over_queues(self):
        """A worker that answers without being asked is found."""
        properties = "require asked : some flow at answer contains question"
        found, asked, answered = [], queue.Queue(), queue.Queue()

        def work():
            with lightcone.Process("worker", properties=properties, on_detection=found.append) as worker:
                worker.event("answer")  # too early
                worker.receive(asked.get(), "got")
                answered.put(worker.send("client", "answer"))

        thread = threading.Thread(target=work)
        thread.start()
        with lightcone.Process("client", properties=properties) as client:
            asked.put(client.send("worker", "question"))
            self.assertEqual(client.receive(answered.get()), "worker")
        thread.join()
        self.assertEqual([(d.event, d.failed) for d in found], [(1, True)])


class ReportedProcess(TraceTest):
    def test_a_monitor_hears_of_all_events(self):
        """The monitor is a socket that takes lines and says that they are stored."""
        listening = socket.create_server(("127.0.0.1", 0))
        lines = []

        def monitor():
            connection, _ = listening.accept()
            with connection, connection.makefile("r") as received:
                for line in received:
                    lines.append(json.loads(line))
                    events = sum(1 for one in lines if one.get("kind", "init") != "init")
                    answer = {"execution": "run", "stored": {"p": events}}
                    connection.sendall(json.dumps(answer).encode() + b"\n")

        thread = threading.Thread(target=monitor)
        thread.start()
        port = listening.getsockname()[1]
        with lightcone.Process("p", report_to=f"127.0.0.1:{port}", report_execution="run",
                               report_token="secret", vars={"x": 0}) as process:
            process.event("a", vars={"x": 1})
            process.send("q", "b")
            self.assertEqual(process.counts()["unreported"], 0)
        thread.join()
        listening.close()
        self.assertEqual((lines[0]["execution"], lines[0]["token"], lines[0]["from"]),
                         ("run", "secret", 1))
        events = [line for line in lines if "kind" in line]
        self.assertEqual([line["kind"] for line in events], ["init", "internal", "send"])
        self.assertEqual(events[1]["labels"], ["a"])

    def test_a_monitor_that_is_not_there_is_told(self):
        errors = []
        process = lightcone.Process("p", report_to="127.0.0.1:1", on_error=errors.append)
        process.event("a")
        process.close()
        self.assertIn("is not there", str(errors[0]))
        with self.assertRaisesRegex(lightcone.Error, "is not the address of a monitor"):
            lightcone.Process("p", report_to="nowhere")
        with self.assertRaisesRegex(lightcone.Error, "holds no certificates"):
            lightcone.Process("p", report_to="tls://127.0.0.1:1", report_certificates="/nowhere")


class COptions(ctypes.Structure):
    """The first members of lightcone_options."""

    _fields_ = [
        ("size", ctypes.c_size_t), ("name", ctypes.c_char_p), ("members", ctypes.c_void_p),
        ("member_count", ctypes.c_size_t), ("properties", ctypes.c_char_p),
        ("properties_file", ctypes.c_char_p), ("labels", ctypes.c_void_p),
        ("label_count", ctypes.c_size_t), ("trace", ctypes.c_char_p), ("fifo", ctypes.c_bool),
        ("clocks", ctypes.c_bool), ("on_detection", ctypes.c_void_p),
        ("on_error", ctypes.c_void_p), ("user", ctypes.c_void_p),
    ]


class CState(ctypes.Structure):
    """lightcone_state"""

    _fields_ = [
        ("labels", ctypes.POINTER(ctypes.c_char_p)), ("label_count", ctypes.c_size_t),
        ("variables", ctypes.c_void_p), ("variable_count", ctypes.c_size_t),
        ("text", ctypes.c_char_p), ("source", ctypes.c_char_p),
    ]


class CTag(ctypes.Structure):
    """lightcone_tag"""

    _fields_ = [("data", ctypes.c_void_p), ("size", ctypes.c_size_t)]


def labelled(label):
    labels = (ctypes.c_char_p * 1)(label)
    return CState(labels=labels, label_count=1)


class BesideC(TraceTest):
    def setUp(self):
        super().setUp()
        folder = os.path.dirname(os.environ.get("LIGHTCONE_PROGRAM", ""))
        libraries = glob.glob(os.path.join(folder, "library", "liblightcone.so.*.*.*"))
        if not libraries:
            self.skipTest("the shared library was not built")
        self.c = ctypes.CDLL(libraries[0])
        self.c.lightcone_start.restype = ctypes.c_void_p
        self.c.lightcone_last_error.restype = ctypes.c_char_p

    def test_tags_of_the_c_library_are_those_of_the_module(self):
        """A store in C and a cache in Python: the stale read is found in Python."""
        found = []
        options = COptions(size=ctypes.sizeof(COptions), name=b"store", properties=STALE.encode(),
                           trace=self.path("store.lct").encode())
        store = ctypes.c_void_p(self.c.lightcone_start(ctypes.byref(options), None))
        self.assertTrue(store, self.c.lightcone_last_error())
        cache = lightcone.Process("cache", properties=STALE, trace=self.path("cache.lct"),
                                  on_detection=found.append)
        tag, to = CTag(), (ctypes.c_char_p * 1)(b"cache")
        state = labelled(b"write")
        self.assertEqual(self.c.lightcone_event(store, ctypes.byref(state)), 0)
        self.assertEqual(self.c.lightcone_send(store, to, ctypes.c_size_t(1), None, ctypes.byref(tag)), 0)
        self.assertEqual(cache.receive(ctypes.string_at(tag.data, tag.size), "read"), "store")
        self.assertEqual([d.property for d in found], ["stale"])
        back = cache.send("store")
        tag, sender = CTag(ctypes.cast(back, ctypes.c_void_p), len(back)), ctypes.c_char_p()
        self.assertEqual(self.c.lightcone_receive(store, ctypes.byref(tag), ctypes.c_size_t(1), None,
                                                  ctypes.byref(sender)), 0)
        self.assertEqual(sender.value, b"cache")
        self.c.lightcone_end(store)
        cache.close()
        trace = lightcone.read(self.folder)
        self.assertEqual(trace.info().edges, 2)
        self.assertEqual(trace.check(STALE).properties[0].at, [("cache", 1)])
