"""Files with several executions, and the options of other formats, are read as the program does."""

import lightcone
from program import TraceTest, example, told

SPANS = example("opentelemetry/shop.otlp.json")
CHARGES = example("opentelemetry/charges.prop")
LOGGERS = ("pino", "structlog", "zap")


class SeveralExecutions(TraceTest):
    def test_they_are_those_of_the_program(self):
        executions = lightcone.executions(SPANS)
        listed = told("info", SPANS)["list"]
        self.assertEqual(executions.ids, [one["execution"] for one in listed])
        self.assertEqual(len(executions), len(listed))
        for trace, one in zip(executions, listed):
            self.assertEqual((len(trace.processes), len(trace), trace.message_count),
                             (one["processes"], one["events"], one["messages"]))
            self.assertEqual(executions[one["execution"]].info().to_dict(),
                             told("info", "--execution", one["execution"], SPANS))

    def test_all_are_checked(self):
        executions = lightcone.executions(SPANS)
        report = executions.check(CHARGES)
        document = report.to_dict()
        document.pop("text")
        self.assertEqual(document, told("check", CHARGES, SPANS))
        self.assertFalse(report.passed)
        self.assertIn("failed on 1 of 6 executions", str(report))
        [failing] = report.properties[0].failing
        self.assertEqual(executions[failing].check(CHARGES).properties[0].verdict, "fail")
        self.assertEqual(executions.check(CHARGES, all=True).properties[0].failing, [failing])

    def test_one_is_chosen_by_number_or_id(self):
        executions = lightcone.executions(SPANS)
        last = executions.ids[-1]
        for trace in (executions[-1], executions[last], executions[last[:12]],
                      lightcone.read(SPANS, execution=last)):
            self.assertTrue(lightcone.diff(trace, executions[len(executions) - 1]).same)
        for missing in (len(executions), -len(executions) - 1):
            with self.assertRaises(IndexError):
                executions[missing]
        with self.assertRaises(KeyError):
            executions["0123"]
        with self.assertRaisesRegex(lightcone.Error, "holds 6 executions"):
            lightcone.read(SPANS)

    def test_another_format_is_one_execution(self):
        [trace] = lightcone.executions(example("counter.jsonl"))
        self.assertEqual(len(trace), 14)

    def test_what_is_a_process_is_chosen(self):
        for by in ("service", "instance", "thread", "span"):
            executions = lightcone.executions(SPANS, process_by=by)
            wanted = told("info", "--process-by", by, "--execution", executions.ids[0], SPANS)
            self.assertEqual(len(executions[0].processes), wanted["processes"], by)
        with self.assertRaisesRegex(lightcone.Error, "a process is no galaxy"):
            lightcone.executions(SPANS, process_by="galaxy")


class OtherFormats(TraceTest):
    def test_a_map_says_where_things_are(self):
        for name in LOGGERS:
            folder = example(f"json_logs/{name}")
            log, where = f"{folder}/shop.log", f"{folder}/shop.map"
            trace = lightcone.read(log, map=where)
            self.assertGreater(trace.message_count, 0)
            self.assertEqual(trace.info().to_dict(), told("info", "--map", where, log))

    def test_an_expression_finds_events_in_text(self):
        log = self.path("app.txt")
        with open(log, "w", encoding="utf-8") as file:
            file.write("a put m1 x=7\nb got m1\n")
        regex = r"(?<process>\w+) (put (?<send>\w+)( x=(?<x>\d+))?|got (?<receive>\w+))"
        trace = lightcone.read(log, regex=regex)
        self.assertEqual(trace.processes, ["a", "b"])
        self.assertEqual(trace[0].vars, {"x": 7})
        self.assertTrue(trace.happened_before(("a", 1), ("b", 1)))

    def test_texts_are_numbers_if_asked(self):
        line = b'{"process": "a", "kind": "internal", "vars": {"x": "7"}}\n'
        for numbers, x in ((False, "7"), (True, 7)):
            self.assertEqual(lightcone.parse(line, numbers=numbers)[0].vars, {"x": x})

    def test_there_are_no_other_options(self):
        with self.assertRaisesRegex(TypeError, "there is no option 'mapp'"):
            lightcone.read(SPANS, mapp="x")
