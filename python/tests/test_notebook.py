"""The notebook among the examples runs, and shows what it says."""

import ast
import contextlib
import io
import json
import os

from program import TraceTest, example

NOTEBOOK = example("opentelemetry/charges.ipynb")


def shown_by(cell, names):
    """What a notebook shows under a cell: what it prints, and the value of its last line."""
    lines = ast.parse("".join(cell["source"])).body
    printed = io.StringIO()
    value = None
    with contextlib.redirect_stdout(printed):
        for line in lines[:-1]:
            exec(compile(ast.Module([line], []), NOTEBOOK, "exec"), names)
        if isinstance(lines[-1], ast.Expr):
            value = eval(compile(ast.Expression(lines[-1].value), NOTEBOOK, "eval"), names)
        else:
            exec(compile(ast.Module([lines[-1]], []), NOTEBOOK, "exec"), names)
    return printed.getvalue(), value


class Notebook(TraceTest):
    def test_it_runs(self):
        with open(NOTEBOOK, encoding="utf-8") as file:
            cells = [cell for cell in json.load(file)["cells"] if cell["cell_type"] == "code"]
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(os.path.dirname(NOTEBOOK))
        names = {}
        ids, report, failing, why, times = [shown_by(cell, names) for cell in cells]
        self.assertEqual(len(ids[1]), 6)
        self.assertIn("failed on 1 of 6 executions", report[0])
        for picture in (failing[1], why[1]):
            self.assertTrue(picture._repr_svg_().startswith("<svg"))
        self.assertIn("nothing on this path", why[1]._repr_svg_())
        self.assertEqual(set(times[1]), set(names["failing"].processes))
        self.assertTrue(all(value >= 0 for value in times[1].values()))
