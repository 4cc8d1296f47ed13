"""Pictures are well-formed SVG, and what cannot be drawn is an error."""

import xml.etree.ElementTree

import lightcone
from program import TraceTest, example


class Pictures(TraceTest):
    def assert_svg(self, text):
        self.assertTrue(xml.etree.ElementTree.fromstring(text).tag.endswith("svg"))

    def test_notebooks_show_small_and_large_traces(self):
        small = lightcone.read(example("counter.jsonl"))
        large = lightcone.read(self.generated("large.lct", "--events", "5000"))
        for trace in (small, large):
            self.assert_svg(trace._repr_svg_())
        self.assertNotEqual(small._repr_svg_(), small.overview()._repr_svg_())

    def test_a_witness_can_be_drawn(self):
        trace = lightcone.read(example("counter.jsonl"))
        last = trace[len(trace) - 1]
        past = dict(zip(trace.processes, trace.past(last).tolist()))
        picture = trace.picture(cut=past, title="the past of an event")
        self.assert_svg(picture.svg)
        self.assertIn("the past of an event", str(picture))
        picture.save(self.path("past.svg"))
        self.assert_svg(trace.picture(marked=[last, (trace.processes[0], 0)]).svg)
        self.assert_svg(trace.picture(path=[(last.process, 0), last]).svg)

    def test_what_cannot_be_drawn_is_refused(self):
        trace = lightcone.parse(
            b'{"process": "p", "kind": "send", "message": "m"}\n'
            b'{"process": "q", "kind": "receive", "message": "m"}\n')
        for wrong in ({"cut": {"p": 0, "q": 1}}, {"path": [("q", 1), ("p", 1)]},
                      {"cut": {"p": 1}, "path": [("p", 1)]}):
            with self.assertRaises(ValueError):
                trace.picture(**wrong)
        with self.assertRaises(IndexError):
            trace.picture(cut={"p": 2})
        with self.assertRaises(KeyError):
            trace.picture(cut={"r": 1})
