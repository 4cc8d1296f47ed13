"""The types say what there is: each public name of the module is in its stub, and the other way."""

import ast
import inspect
import os
import unittest

import lightcone
from lightcone import _lightcone


def public(names):
    return {name for name in names if not name.startswith("_") or name == "_repr_svg_"}


class Stubs(unittest.TestCase):
    def setUp(self):
        path = os.path.join(os.path.dirname(lightcone.__file__), "_lightcone.pyi")
        with open(path, encoding="utf-8") as file:
            self.stub = ast.parse(file.read())

    def test_functions_and_classes_are_those_of_the_stub(self):
        defined = {node.name for node in self.stub.body
                   if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
        self.assertEqual(defined, public(vars(_lightcone)))

    def test_members_are_those_of_the_stub(self):
        for node in self.stub.body:
            if not isinstance(node, ast.ClassDef) or node.name == "Error":
                continue
            defined = {member.name for member in node.body if isinstance(member, ast.FunctionDef)}
            self.assertEqual(public(defined), public(vars(getattr(_lightcone, node.name))), node.name)

    def test_all_that_is_public_says_what_it_is(self):
        self.assertEqual(set(lightcone.__all__) - {"__version__"},
                         {name for name in lightcone.__all__ if hasattr(lightcone, name)} - {"__version__"})
        for name in lightcone.__all__:
            if name != "__version__":
                self.assertTrue(inspect.getdoc(getattr(lightcone, name)), name)
        folder = os.path.dirname(lightcone.__file__)
        self.assertTrue(os.path.exists(os.path.join(folder, "py.typed")))
