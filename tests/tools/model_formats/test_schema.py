from __future__ import annotations

import contextlib
import re
from types import SimpleNamespace
from typing import Any

import pytest

from edgewright.tools.model_formats.tflite import schema
from edgewright.tools.model_formats.tflite.options import option_table
from edgewright.tools.model_formats.tflite.reader import TableKind

CLASSES = {
    "Model": schema.MODEL,
    "OperatorCode": schema.OPERATOR_CODE,
    "SubGraph": schema.SUBGRAPH,
    "Tensor": schema.TENSOR,
    "QuantizationParameters": schema.QUANTIZATION,
    "SparsityParameters": schema.SPARSITY,
    "DimensionMetadata": schema.DIMENSION,
    "Operator": schema.OPERATOR,
    "Buffer": schema.BUFFER,
    "Metadata": schema.METADATA,
    "SignatureDef": schema.SIGNATURE,
    "TensorMap": schema.TENSOR_MAP,
}
YOUNGER_THAN_THE_PACKAGE = {("Model", 9), ("Tensor", 10)}


def _scalar_types(name: str) -> dict[int, str]:
    """Field number to `struct` code of every scalar, as the package's accessors read them."""
    found: dict[int, str] = {}
    asked: dict[str, Any] = {}
    table = SimpleNamespace(
        Pos=0,
        Offset=lambda slot: asked.update(slot=slot) or 1,
        Get=lambda flags, _: asked.update(flags=flags) or 0,
    )
    for accessor, method in vars(schema.schema_class(name)).items():
        if not re.match(r"(?!GetRootAs|Init$)[A-Z]", accessor) or accessor.endswith(
            ("AsNumpy", "BufferHasIdentifier")
        ):
            continue
        asked.clear()
        with contextlib.suppress(AttributeError, TypeError):  # a vector, a table, or code behind the field
            method(SimpleNamespace(_tab=table))
        if "flags" in asked:
            found[(asked["slot"] - 4) // 2] = asked["flags"].packer_type.format.strip("<")
    return found


@pytest.mark.parametrize(("name", "kind"), CLASSES.items())
def test_scalar_fields_are_those_of_the_schema_package(name: str, kind: TableKind) -> None:
    theirs = _scalar_types(name)
    ours = {
        f.number: f.code
        for f in kind.fields
        if f.code != "O" and (name, f.number) not in YOUNGER_THAN_THE_PACKAGE
    }
    assert ours == {number: theirs[number] for number in ours}
    assert not [f for f in kind.fields if f.code == "O" and f.number in theirs]


@pytest.mark.parametrize("union", ["BuiltinOptions", "BuiltinOptions2"])
def test_options_of_every_operator_can_be_decoded(union: str) -> None:
    members = [number for number, name in schema.enumeration(union).items() if name != "NONE"]
    tables = [option_table(union, number) for number in members]
    assert len(tables) == len(members) > 20
    assert all(tables)


@pytest.mark.parametrize("union", ["BuiltinOptions", "BuiltinOptions2"])
def test_every_enumeration_among_options_is_told_by_name(union: str) -> None:
    """In the schema all scalars of one byte that are not truth values are enumerations."""
    for number in schema.enumeration(union):
        table = option_table(union, number)
        for option in table.options if table else ():
            if option.form == "number" and option.field.code == "b":
                assert option.names, (table.kind.name, option.name)


def test_every_element_type_of_the_package_is_known() -> None:
    assert set(schema.enumeration("TensorType")) <= set(schema.dtypes())
