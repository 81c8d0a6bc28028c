from edgewright.hardware_db.measurements import rows
from edgewright.tools.calibration.impossible import breaks_physics
from edgewright.tools.calibration.records import record_of, sifted_records


def measured(**changes: str) -> str:
    row = next(
        r for r in rows()
        if r["target"] == "stm32l4r5zi" and r["dtype"] == "int8" and r["network"] and r["latency_ms"]
        and record_of(r) is not None
    )  # fmt: skip
    record = record_of(row | changes)
    assert record is not None
    return breaks_physics(record)


def test_a_published_latency_is_believed() -> None:
    assert measured() == ""


def test_more_macs_a_cycle_than_the_core_has_are_refused() -> None:
    assert "MACs a cycle, but cortex-m4 has 2 of int8" in measured(latency_ms="0.001")


def test_a_runtime_that_halves_precision_has_the_ceiling_of_half_precision() -> None:
    row = next(r for r in rows() if r["id"] == "ncnn-0048")  # float32 at 42 MACs a cycle of four Cortex-A78AE
    for changes, believed in (
        ({}, True),
        ({"runtime": "litert-xnnpack"}, False),
        ({"latency_ms": "3"}, False),
    ):
        record = record_of(row | {"dtype": "float32"} | changes)
        assert record is not None
        assert (breaks_physics(record) == "") is believed


def test_where_no_ceiling_is_known_nothing_is_refused() -> None:
    assert measured(latency_ms="0.001", target="") == ""


def test_refused_rows_stay_out_of_the_fit() -> None:
    row = next(r for r in rows() if r["target"] == "stm32l4r5zi" and record_of(r) is not None)
    found, refused = sifted_records([row, row | {"id": "impossible", "latency_ms": "1e-6"}])
    assert [record.id for record in found] == [row["id"]]
    assert list(refused) == ["impossible"]
