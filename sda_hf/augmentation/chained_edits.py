"""Edits of a text and edits of the result, as edits of the text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sda_hf.grammar.edits import PLACE, Edit, apply


class _Span(NamedTuple):
    """What an edit of either kind covers in the text between them."""

    start: int
    end: int
    edit: Edit
    is_first: bool


def chained(text: str, first: Sequence[Edit], second: Sequence[Edit]) -> list[Edit]:
    """Return the edits of a text that do what two lists of edits do, one after the other.

    Edits of both lists that touch become one.

    Args:
        text: the original.
        first: edits of the original.
        second: edits of what `first` makes of it.

    Example:
        >>> first = [Edit(3, 3, "must ", "modal")]
        >>> chained("He left.", first, [Edit(0, 2, "She", "subject"), Edit(12, 13, "!", "end mark")])
        [Edit(start=0, end=2, new='She', rule='subject', id='', doubt=''), \
Edit(start=3, end=3, new='must ', rule='modal', id='', doubt=''), \
Edit(start=7, end=8, new='!', rule='end mark', id='', doubt='')]
    """
    between = apply(text, first)
    edits: list[Edit] = []
    shift = 0  # by how much the text between is longer than the original, up to here
    for group in _touching([*_results(first), *(_Span(e.start, e.end, e, False) for e in second)]):
        grown = sum(len(span.edit.new) - (span.edit.end - span.edit.start) for span in group if span.is_first)
        if all(span.is_first for span in group):
            edits += [span.edit for span in group]
        else:
            edits += _merged(between, group, shift, shift + grown)
        shift += grown
    return edits


def meet(first: Sequence[Edit], second: Sequence[Edit]) -> bool:
    """Whether edits of the result of others touch what those have put in."""
    groups = _touching([*_results(first), *(_Span(e.start, e.end, e, False) for e in second)])
    return any(len({span.is_first for span in group}) > 1 for group in groups)


def _results(edits: Iterable[Edit]) -> list[_Span]:
    """Return the edits with what each of them covers in the result."""
    spans, shift = [], 0
    for edit in sorted(edits, key=PLACE):
        start = edit.start + shift
        spans.append(_Span(start, start + len(edit.new), edit, True))
        shift += len(edit.new) - (edit.end - edit.start)
    return spans


def _touching(spans: Iterable[_Span]) -> list[list[_Span]]:
    """Group the spans that overlap or touch, in text order."""
    groups: list[list[_Span]] = []
    end = -1
    for span in sorted(spans, key=lambda span: span[:2]):
        if span.start > end:
            groups.append([])
        groups[-1].append(span)
        end = max(end, span.end)
    return groups


def _merged(between: str, group: Sequence[_Span], before: int, after: int) -> list[Edit]:
    """Return the edits of a group as edits of the original.

    Args:
        between: the text between.
        group: the spans, of which at least one is of a second edit.
        before: by how much the text between is longer than the original before the group.
        after: the same after the group.
    """
    seconds = [span.edit for span in group if not span.is_first]
    if not any(span.is_first for span in group):
        return [Edit(e.start - before, e.end - before, e.new, e.rule, e.id, e.doubt) for e in seconds]
    start, end = group[0].start, max(span.end for span in group)
    moved = [Edit(e.start - start, e.end - start, e.new, e.rule) for e in seconds]
    ordered = [*(span.edit for span in group if span.is_first), *seconds]
    rule, identifier, doubt = (
        joint.join(dict.fromkeys(filter(None, parts)))
        for joint, parts in (
            (" + ", (e.rule for e in ordered)),
            ("+", (e.id for e in ordered)),
            ("; ", (e.doubt for e in ordered)),
        )
    )
    return [Edit(start - before, end - after, apply(between[start:end], moved), rule, identifier, doubt)]
