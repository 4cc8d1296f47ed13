"""Runs the Python blocks of docs/guides/python.md, and compares what they print.

Usage: run_tutorial.py PROGRAM SOURCE_FOLDER. All blocks share one session, in an empty folder with a
copy of examples/.
"""

import doctest
import os
import re
import shutil
import sys
import tempfile


def blocks(text):
    """The Python blocks, each with its first line."""
    for found in re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield text.count("\n", 0, found.start(1)), found.group(1)


def run(path):
    """Returns how many examples ran, and how many failed."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    names, ran, failed = {}, 0, 0
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    for line, block in blocks(text):
        test = doctest.DocTestParser().get_doctest(block, names, os.path.basename(path), path, line)
        runner = doctest.DocTestRunner(optionflags=flags)
        result = runner.run(test, clear_globs=False)
        names = test.globs
        ran, failed = ran + result.attempted, failed + result.failed
    return ran, failed


if __name__ == "__main__":
    source = os.path.abspath(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(os.path.join(source, "examples"), os.path.join(folder, "examples"))
        os.chdir(folder)
        ran, failed = run(os.path.join(source, "docs", "guides", "python.md"))
        os.chdir("/")
    print(f"{ran} examples, {failed} failed")
    sys.exit(1 if failed or ran < 10 else 0)
