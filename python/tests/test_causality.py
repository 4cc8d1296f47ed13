"""Pasts, futures and timestamps against their definition by search."""

import lightcone
import numpy
from program import TraceTest


def reached(edges, event):
    """All that edges lead to, with the event itself."""
    seen, todo = {event}, [event]
    while todo:
        for other in edges.get(todo.pop(), ()):
            if other not in seen:
                seen.add(other)
                todo.append(other)
    return seen


def causes_of(trace):
    """The direct causes of each event."""
    columns, edges = trace.columns, {}
    for e in range(len(trace)):
        if e > columns.first[columns.process_of[e]]:
            edges.setdefault(e, []).append(e - 1)
        if columns.takes is not None:
            for m in columns.takes[columns.takes_begin[e] : columns.takes_begin[e + 1]]:
                edges.setdefault(e, []).append(int(columns.sent_by[m]))
    return edges


class Causality(TraceTest):
    def test_pasts_and_timestamps_are_what_a_search_finds(self):
        for seed in range(1, 21):
            path = self.generated("run.jsonl", "--events", "60", "--processes", "4", "--seed", str(seed))
            trace = lightcone.read(path)
            causes, stamps = causes_of(trace), trace.timestamps()
            self.assertEqual(stamps.shape, (len(trace), len(trace.processes)))
            for e in range(len(trace)):
                past = reached(causes, e)
                ranks = [0] * len(trace.processes)
                for f in past:
                    p = trace.columns.process_of[f]
                    ranks[p] = max(ranks[p], f - int(trace.columns.first[p]) + 1)
                self.assertEqual(trace.past(e).tolist(), ranks)
                self.assertEqual(stamps[e].tolist(), ranks)
                for f in range(0, len(trace), 7):
                    self.assertEqual(trace.happened_before(f, e), f in past and f != e)

    def test_futures_are_what_a_search_finds(self):
        trace = lightcone.read(self.generated("run.jsonl", "--events", "80", "--seed", "3"))
        effects = {}
        for event, causes in causes_of(trace).items():
            for cause in causes:
                effects.setdefault(cause, []).append(event)
        first = trace.columns.first
        for e in range(len(trace)):
            future = reached(effects, e)
            for p in range(len(trace.processes)):
                ranks = [f - int(first[p]) + 1 for f in future if first[p] <= f < first[p + 1]]
                expected = min(ranks, default=int(first[p + 1] - first[p]) + 1)
                self.assertEqual(trace.future(e)[p], expected)

    def test_an_event_is_named_in_three_ways(self):
        trace = lightcone.read(self.generated("run.jsonl", "--events", "30", "--seed", "2"))
        event = trace.event(trace.processes[1], 2)
        for other in (event.index, (trace.processes[1], 2), event, numpy.uint32(event.index)):
            self.assertEqual(trace[other], event)
            self.assertEqual(trace.past(other).tolist(), trace.past(event).tolist())

    def test_events_that_are_not_there_are_errors(self):
        trace = lightcone.parse(b'{"process": "p", "kind": "internal"}\n')
        other = lightcone.parse(b'{"process": "p", "kind": "internal"}\n')
        for wrong, error in ((1, IndexError), (-1, IndexError), (("p", 2), IndexError),
                             (("q", 1), KeyError), ("p", TypeError), (other[0], ValueError),
                             (("p", 0), ValueError)):
            with self.assertRaises(error):
                trace.past(wrong)
