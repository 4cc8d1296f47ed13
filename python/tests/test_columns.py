"""Columns share the memory of the trace, keep it alive, and cannot be written."""

import gc

import lightcone
import numpy
from program import TraceTest

NONE = 2**32 - 1


class Columns(TraceTest):
    def setUp(self):
        super().setUp()
        self.trace = lightcone.read(self.generated("run.lct", "--events", "2000", "--seed", "7"))

    def test_two_looks_share_memory(self):
        for name in ("first", "process_of", "kinds", "sends", "takes_begin", "takes", "sent_by", "order"):
            first, second = getattr(self.trace.columns, name), getattr(self.trace.columns, name)
            self.assertTrue(numpy.shares_memory(first, second), name)
            self.assertIsInstance(first.base, lightcone.Columns, name)
            self.assertFalse(first.flags.owndata, name)

    def test_arrays_cannot_be_written(self):
        with self.assertRaises(ValueError):
            self.trace.columns.kinds[0] = 1
        with self.assertRaises(ValueError):
            self.trace.timestamps()[0, 0] = 1

    def test_an_array_keeps_the_trace_alive(self):
        kinds = self.trace.columns.kinds
        before = kinds.copy()
        self.trace = None
        gc.collect()
        junk = [bytearray(4096) for _ in range(1000)]  # what takes memory that was freed
        self.assertTrue((kinds == before).all())
        del junk

    def test_columns_say_what_events_say(self):
        columns = self.trace.columns
        kinds = ["internal", "send", "receive"]
        for e in range(0, len(self.trace), 17):
            event = self.trace[e]
            self.assertEqual(event.index, e)
            self.assertEqual(event.kind, kinds[columns.kinds[e]])
            self.assertEqual(event.process, self.trace.processes[columns.process_of[e]])
            self.assertEqual(event.rank, e - columns.first[columns.process_of[e]] + 1)
            taken = columns.takes[columns.takes_begin[e] : columns.takes_begin[e + 1]]
            self.assertEqual(event.receives, [self.trace.message_name(m) for m in taken])
            sent = columns.sends[e]
            self.assertEqual(event.sends, None if sent == NONE else self.trace.message_name(sent))

    def test_causes_stand_before_effects_in_the_order(self):
        columns = self.trace.columns
        position = numpy.empty(len(self.trace), int)
        position[columns.order] = numpy.arange(len(self.trace))
        for e in range(len(self.trace)):
            for message in columns.takes[columns.takes_begin[e] : columns.takes_begin[e + 1]]:
                self.assertLess(position[columns.sent_by[message]], position[e])

    def test_variables_hold_until_they_are_assigned_again(self):
        trace = lightcone.parse(
            b'{"process": "p", "kind": "init", "vars": {"x": 1}}\n'
            b'{"process": "p", "kind": "internal"}\n'
            b'{"process": "p", "kind": "internal", "vars": {"x": 2.5, "who": "me"}}\n'
            b'{"process": "q", "kind": "internal"}\n'
        )
        x = trace.variable("x")
        self.assertEqual(x[:2].tolist(), [1, 2.5])
        self.assertTrue(numpy.isnan(x[2]))
        self.assertEqual(trace.variable("who").tolist(), [None, "me", None])
        with self.assertRaises(KeyError):
            trace.variable("y")

    def test_columns_that_a_trace_does_not_use_are_none(self):
        trace = lightcone.parse(b'{"process": "p", "kind": "internal"}\n')
        self.assertIsNone(trace.columns.time)
        self.assertIsNone(trace.columns.takes)
