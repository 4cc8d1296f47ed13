"""What Lightcone answers: the members of the JSON documents of its program, as objects."""

from __future__ import annotations

import json
from typing import Any, Callable, ClassVar, Iterator, Mapping, NamedTuple, Optional


class Place(NamedTuple):
    """An event by its process and its rank; a Trace takes it wherever it takes an event."""

    process: str
    event: int


class Answer(Mapping[str, Any]):
    """A document. Its members are attributes: `answer.verdict` is `answer["verdict"]`.

    A member that an answer does not have is an AttributeError, as in the documents of the program.
    """

    _made: ClassVar[dict[str, Callable[[Any], Any]]] = {}

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = dict(document)
        self._members = {
            name: self._made[name](value) if name in self._made and value is not None else value
            for name, value in self._document.items()
        }

    def to_dict(self) -> dict[str, Any]:
        """Returns the document as it came."""
        return dict(self._document)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._members:
            raise AttributeError(f"{type(self).__name__} has no member {name!r} here")
        return self._members[name]

    def __getitem__(self, name: str) -> Any:
        return self._members[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._members]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({json.dumps(self._document, default=str)})"


def _list_of(kind: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda items: [kind(item) for item in items]


def _place(document: Mapping[str, Any]) -> Place:
    return Place(document["process"], document["event"])


class Witness(Answer):
    """Why a property is as it is: a `path` of events, `reasons`, or a `state` and `observation`."""

    _made = {"path": _list_of(Answer), "reasons": _list_of(Answer)}


class PropertyReport(Answer):
    """What became of one property."""

    name: str
    verb: str
    verdict: str
    found: bool
    at: list[Place]
    cut: dict[str, int]
    finding: str
    witness: Witness
    each: str
    values: list[PropertyReport]  # type: ignore[assignment]

    _made = {"at": _list_of(_place), "witness": Witness}


PropertyReport._made["values"] = _list_of(PropertyReport)


class Report(Answer):
    """What became of all properties of a file. As a text it is what the program prints."""

    trace: str
    processes: list[str]
    events: int
    verdict: str
    properties: list[PropertyReport]
    warnings: list[str]
    text: str

    _made = {"properties": _list_of(PropertyReport)}

    @property
    def passed(self) -> bool:
        """Whether no property failed and all are known."""
        return bool(self.verdict == "pass")

    def property_named(self, name: str) -> PropertyReport:
        """Returns the report of one property."""
        for report in self.properties:
            if report.name == name:
                return report
        raise KeyError(name)

    def __str__(self) -> str:
        return str(self._members["text"])


class ExecutionsPropertyReport(Answer):
    """What became of one property on all executions of a file."""

    name: str
    verb: str
    verdict: str
    passed: int
    failed: int
    unknown: int
    found: int
    failing: list[str]
    undecided: list[str]


class ExecutionsReport(Answer):
    """What became of all properties on all executions of a file."""

    trace: str
    executions: int
    events: int
    verdict: str
    properties: list[ExecutionsPropertyReport]
    warnings: list[str]
    notes: list[str]
    text: str

    _made = {"properties": _list_of(ExecutionsPropertyReport)}

    @property
    def passed(self) -> bool:
        """Whether no property failed and all are known."""
        return bool(self.verdict == "pass")

    def __str__(self) -> str:
        return str(self._members["text"])


class Info(Answer):
    """Counts, depth, concurrency and races of a trace."""

    processes: int
    events: int
    internal: int
    sends: int
    receives: int
    messages: int
    in_transit: int
    edges: int
    depth: int
    width: int
    width_at_most: int
    concurrent_pairs: int
    concurrency: float
    races: int
    inevitable: int
    labels: dict[str, int]
    variables: dict[str, int]


class Races(Answer):
    """Which received messages must be traced to replay an execution."""

    received: int
    traced: list[str]
    never_received: list[str]
    pairs: list[tuple[str, str]]

    _made = {"pairs": _list_of(tuple)}


class States(Answer):
    """Consistent global states: how many there are, or which. `count` is None beyond a limit."""

    count: Optional[int]
    more_than: int
    method: str
    width: int
    processes: int
    events: int
    states: list[dict[str, int]]
    inevitable: list[dict[str, int]]

    _made = {"count": int, "more_than": int}


class Difference(Answer):
    """Where two runs part first. `same` is None if they are the same as far as both are known."""

    same: Optional[bool]
    first: list[Answer]
    alike: int
    compared_contents: int
    processes: list[Answer]

    _made = {"first": _list_of(Answer), "processes": _list_of(Answer)}


class Picture:
    """A picture, which notebooks show."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def __str__(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<lightcone.Picture of {len(self.svg)} characters of SVG>"

    def save(self, path: str) -> None:
        """Writes it to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)
