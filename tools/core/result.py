"""The base of everything a tool returns: what it shows in a console, and its rows as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import BaseModel, ConfigDict

from ...hardware_db.later import Later
from .frames import frame, rows_of_field
from .showing import few_lines, one_line, short_fields

if TYPE_CHECKING:
    from pydantic import GetJsonSchemaHandler
    from pydantic_core import CoreSchema

    from . import field_docs
else:
    field_docs = Later(".field_docs", __package__)


class Result(BaseModel):
    """What a tool returns: frozen, closed to fields nobody declared, and no number is NaN or infinite."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True, allow_inf_nan=False)

    main_rows: ClassVar[str] = ""
    """The field whose rows `to_frame()` takes."""
    is_difference: ClassVar[bool] = False
    """Whether its figures are those after less those before, which may be negative."""

    def headline(self) -> str:
        """The result in a few words, without the names of model and deployment."""
        return short_fields(self)

    def to_dict(self) -> dict[str, Any]:
        """The result as `--json` prints it: dictionaries, lists, text and numbers alone."""
        return self.model_dump(mode="json", by_alias=True)

    def to_rows(self, rows: str = "") -> list[dict[str, Any]]:
        """Rows of the result, each flat: a quantity becomes value, low, high and basis in keys of their own.

        Args:
            rows: the field that holds them; the result's main rows if empty.

        Raises:
            UsageError: the result holds no such rows.
        """
        return rows_of_field(self, rows, self.main_rows)

    def to_frame(self, rows: str = "") -> Any:
        """`to_rows` as a pandas DataFrame.

        Raises:
            UsageError: the result holds no such rows, or pandas is not installed.
        """
        return frame(self.to_rows(rows))

    def __repr__(self) -> str:
        return one_line(self, self.headline())

    def __str__(self) -> str:
        return few_lines(self, self.headline())

    def _repr_html_(self) -> str:
        """The result's document with its drawings; of a row, which has none, its fields."""
        from .render.page import cell_of

        return cell_of(self, self.headline())

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """The JSON Schema with a description and, where it has one, the unit of each field."""
        schema = handler(core_schema)
        field_docs.with_descriptions(cls, handler.resolve_ref_schema(schema))
        return schema
