"""Answers are the documents of the program, and errors have their place."""

import os
import pathlib

import lightcone
from program import TraceTest, example, told

PROPERTIES = """
label odd = event == "a"
forbid pair : some flow contains a -> b
watch  both : possibly count(odd) >= 2
require all_b : every longest flow at b contains a
"""


class Answers(TraceTest):
    def setUp(self):
        super().setUp()
        self.runs = [
            self.generated(f"run{seed}.jsonl", "--events", "40", "--processes", "3",
                           "--label", "a:0.3", "--label", "b:0.3", "--seed", str(seed))
            for seed in range(1, 6)
        ]
        self.properties = self.path("p.prop")
        pathlib.Path(self.properties).write_text(PROPERTIES, encoding="utf-8")

    def test_info_and_races_are_those_of_the_program(self):
        for path in self.runs:
            trace = lightcone.read(path)
            self.assertEqual(trace.info().to_dict(), told("info", path))
            self.assertEqual(trace.races().to_dict(), told("races", path))
            self.assertEqual(trace.races(pairs=True).to_dict(), told("races", "--pairs", path))

    def test_checks_are_those_of_the_program(self):
        for path in self.runs:
            for options, flags in (({}, ()), ({"explain": True}, ("--explain",))):
                report = lightcone.read(path).check(PROPERTIES, **options)
                document = report.to_dict()
                for extra in ("text",):
                    document.pop(extra)
                for one in document["properties"]:
                    one.pop("finding")
                self.assertEqual(document, told("check", *flags, self.properties, path))
                self.assertIn("pair", str(report))

    def test_properties_are_a_text_or_a_path(self):
        trace = lightcone.read(self.runs[0])
        expected = trace.check(PROPERTIES).to_dict()
        self.assertEqual(trace.check(self.properties).to_dict(), expected)
        self.assertEqual(trace.check(pathlib.Path(self.properties)).to_dict(), expected)

    def test_reports_have_members(self):
        report = lightcone.read(example("properties/lease.jsonl")).check(example("properties/mutex.prop"))
        self.assertEqual(report.verdict, "fail")
        self.assertFalse(report.passed)
        self.assertEqual(report["verdict"], report.verdict)
        failing = [one for one in report.properties if one.verdict == "fail"]
        self.assertTrue(failing)
        with self.assertRaises(AttributeError):
            _ = report.nothing_of_the_kind

    def test_places_are_events(self):
        for path in self.runs:
            trace = lightcone.read(path)
            for place in trace.check("watch b : some flow at b contains b").properties[0].at:
                self.assertIn("b", trace[place].labels)
                self.assertEqual(trace[place].rank, place.event)

    def test_states_are_those_of_the_program(self):
        for path in self.runs[:3]:
            trace = lightcone.read(path)
            known = told("states", path)
            self.assertEqual(trace.states().count, int(known["count"]))
            self.assertEqual(trace.states().method, known["method"])
            relevant = trace.states(relevant="[a b]", of=["p*"], list=True)
            known = told("states", "--list", "--relevant", "[a b]", path)
            self.assertEqual(relevant.count, known["count"])
            self.assertEqual(relevant.states, known["states"])
            self.assertEqual(trace.states(inevitable=True).inevitable,
                             told("states", "--inevitable", path)["inevitable"])

    def test_numbers_of_states_have_no_limit(self):
        lines = []
        for p in range(100):
            lines += [f'{{"process": "p{p}", "kind": "internal"}}'] * 9
        count = lightcone.parse("\n".join(lines).encode()).states().count
        self.assertEqual(count, 10**100)

    def test_a_limit_that_is_hit_is_no_answer(self):
        trace = lightcone.read(self.runs[0])
        listed = trace.states(list=True, limit_states=3)
        self.assertIsNone(listed.count)
        self.assertGreaterEqual(listed.more_than, 3)
        self.assertIsNone(trace.states(limit_bytes=1).count)

    def test_differences_are_those_of_the_program(self):
        a, b = example("counter.jsonl"), example("counter_again.jsonl")
        self.assertEqual(lightcone.diff(lightcone.read(a), lightcone.read(b)).to_dict(), told("diff", a, b))
        self.assertTrue(lightcone.diff(lightcone.read(a), lightcone.read(a)).same)
        with self.assertRaises(ValueError):
            lightcone.diff(lightcone.read(a), lightcone.read(b), ignore=["everything"])

    def test_traces_are_written_and_read_again(self):
        trace = lightcone.read(self.runs[0])
        for format in ("jsonl", "lct"):
            path = self.path("again." + format)
            trace.write(path)
            self.assertTrue(lightcone.diff(trace, lightcone.read(path)).same)
        self.assertIn("lct", lightcone.formats())

    def test_a_directory_is_a_trace(self):
        folder = self.path("traces")
        os.mkdir(folder)
        lightcone.read(self.runs[0]).write(os.path.join(folder, "one.lct"))
        self.assertEqual(len(lightcone.read(folder)), len(lightcone.read(self.runs[0])))


class Errors(TraceTest):
    def test_an_error_names_file_and_line(self):
        path = self.path("bad.jsonl")
        pathlib.Path(path).write_text(
            '{"process": "p", "kind": "internal"}\n{"process": "p", "kind": "jump"}\n', encoding="utf-8")
        with self.assertRaises(lightcone.Error) as raised:
            lightcone.read(path)
        self.assertEqual((raised.exception.file, raised.exception.line), (path, 2))
        self.assertIn("jump", raised.exception.what)
        self.assertIn("bad.jsonl:2", str(raised.exception))

    def test_an_error_in_properties_names_line_and_column(self):
        trace = lightcone.read(example("counter.jsonl"))
        with self.assertRaises(lightcone.Error) as raised:
            trace.check("watch a : possibly true\nforbid b : some flow contains (")
        self.assertEqual(raised.exception.line, 2)
        self.assertGreater(raised.exception.column, 0)

    def test_what_is_missing_is_none(self):
        with self.assertRaises(lightcone.Error) as raised:
            lightcone.read(self.path("nothing.jsonl"))
        self.assertIsNone(raised.exception.line)
        with self.assertRaises(lightcone.Error):
            lightcone.read(example("counter.jsonl"), format="nothing")
        with self.assertRaises(TypeError):
            lightcone.read(example("counter.jsonl"), nothing=True)
