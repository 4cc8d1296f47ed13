"""Traces of distributed programs: read, check, compare and draw them, and watch live programs.

    import lightcone
    trace = lightcone.read("run.jsonl")
    print(trace.check("forbid two : possibly count(inside) >= 2"))

docs/guides/python.md is a tutorial.
"""

from ._lightcone import (
    Columns,
    Detection,
    Error,
    Event,
    Executions,
    Process,
    Trace,
    __version__,
    baggage_with_tag,
    diff,
    executions,
    formats,
    parse,
    read,
    tag_in_baggage,
)
from .answers import (
    Answer,
    Difference,
    ExecutionsPropertyReport,
    ExecutionsReport,
    Info,
    Picture,
    Place,
    PropertyReport,
    Races,
    Report,
    States,
)

__all__ = [
    "Answer",
    "Columns",
    "Detection",
    "Difference",
    "Error",
    "Event",
    "Executions",
    "ExecutionsPropertyReport",
    "ExecutionsReport",
    "Info",
    "Picture",
    "Place",
    "Process",
    "PropertyReport",
    "Races",
    "Report",
    "States",
    "Trace",
    "__version__",
    "baggage_with_tag",
    "diff",
    "executions",
    "formats",
    "parse",
    "read",
    "tag_in_baggage",
]
