"""The end of a document: the blocks below its last table never stand on a page without rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from reportlab.platypus import Flowable, KeepTogether
from reportlab.platypus import PageBreak as NewPage

ROWS_KEPT: Final = 3
"""Rows, totals included, that move to the next page with the blocks below them."""
BLOCKS_KEPT: Final = 8
"""If rows cannot move: the number of last blocks that stay together."""
SPARE: Final = 12.0
"""Points that spaces between blocks may add to the computed height."""
ENDLESS: Final = 0xFFFFFF
"""Higher than any page, so that reportlab calls `split`, where the layout is decided."""


class LastTableFlowable(Flowable):
    """A heading, if there is one, the rows, and the blocks below them.

    Under a heading, a table that fits on a page is not split; without one it begins in place.
    """

    def __init__(
        self, rows: Any, below: Sequence[Flowable], above: Sequence[Flowable] = ()
    ) -> None:
        super().__init__()
        self._rows = rows
        self._below = list(below)
        self._above = list(above)

    def wrap(self, available_width: float, _: float) -> tuple[float, float]:
        return available_width, ENDLESS

    def split(self, available_width: float, available_height: float) -> list[Flowable]:
        above, below = (
            sum(self._height(item, available_width) for item in some)
            for some in (self._above, self._below)
        )
        rows = self._height(self._rows, available_width)
        # A row is parted only where a page alone cannot hold it.
        self._rows.splitInRow = int(available_height + SPARE > self._page_height)
        left = available_height - above
        is_whole = above + rows + SPARE <= self._page_height
        if self._above and rows > left and is_whole and left < self._page_height / 2:
            return [NewPage(), LastTableFlowable(self._rows, self._below, self._above)]
        parted = self._parted(available_width, left, rows, below)
        # If not even a row fits, reportlab calls again on the next page.
        return [*self._above, *parted] if parted else []

    def _parted(self, width: float, left: float, rows: float, below: float) -> list[Flowable]:
        if rows + below <= left:
            return [self._rows, *self._below]
        heights = self._rows._rowHeights
        first, kept = sum(heights[:-ROWS_KEPT]), sum(heights[-ROWS_KEPT:])
        is_movable = len(heights) - self._rows.repeatRows > ROWS_KEPT
        if rows <= left:
            if is_movable and heights[0] + kept + below + SPARE <= self._page_height:
                before, after = self._split(width, first)
                return [before, NewPage(), after, *self._below]
            return [self._rows, *self._last()]
        pieces = self._split(width, left - self._rows.getSpaceBefore())
        if len(pieces) == 2 and len(pieces[1]._rowHeights) - pieces[1].repeatRows < ROWS_KEPT:
            pieces = self._split(width, first) if is_movable else pieces
        if len(pieces) != 2:
            return pieces
        return [pieces[0], LastTableFlowable(pieces[1], self._below)]

    @property
    def _page_height(self) -> float:
        """What a page has for blocks, from its top."""
        frame: Any = self._frame  # type: ignore[attr-defined] # set while it is laid out
        return float(frame._height - frame._topPadding - frame._bottomPadding)

    def _split(self, width: float, height: float) -> list[Any]:
        # A hair more than the rows that stay: they are added up in another order there.
        return list(self._rows.split(width, height + 0.01))

    def _last(self) -> list[Flowable]:
        return [*self._below[:-BLOCKS_KEPT], KeepTogether(self._below[-BLOCKS_KEPT:])]

    def _height(self, flowable: Any, width: float) -> float:
        _, height = flowable.wrapOn(self.canv, width, ENDLESS)
        return float(height + flowable.getSpaceBefore() + flowable.getSpaceAfter())
