from edgewright.hardware_db.measurements import rows
from edgewright.tools import deployment, evidence
from edgewright.tools.calibration.records import record_of
from edgewright.tools.core.render.markdown import as_text
from edgewright.tools.model_zoo.named import build_architecture


def test_evidence_is_published_rows_of_the_same_target_and_library() -> None:
    report = evidence(build_architecture("kws", dtype="int8"), deployment("stm32l4r5zi", "tflm-cmsis-nn"))
    shipped = {row["id"]: row for row in rows()}
    assert report.akin_by == "target"
    assert 0 < len(report.nearest) <= 20
    for found in report.nearest:
        row = shipped[found.id]
        assert (row["target"], row["runtime"]) == ("stm32l4r5zi", "tflm-cmsis-nn")
        assert (found.repository, found.path, found.commit) == (row["repository"], row["path"], row["commit"])
        assert found.latency_ms == float(row["latency_ms"])


def test_the_network_itself_comes_first_where_it_was_measured() -> None:
    # MLPerf Tiny's anomaly detector, of dense layers alone, is like no other network measured there
    report = evidence(build_architecture("ad", dtype="int8"), deployment("stm32l4r5zi", "tflm-cmsis-nn"))
    record = record_of(next(row for row in rows() if row["id"] == report.nearest[0].id))
    assert record is not None
    assert "ad" in record.network or "anomaly" in record.network


def test_a_library_that_was_measured_elsewhere_is_told_as_such() -> None:
    place = deployment("stm32f401re", "tflm-cmsis-nn")
    report = evidence(build_architecture("kws", dtype="int8"), place)
    assert report.akin_by == "pair"
    assert {found.runtime for found in report.nearest} == {"tflm-cmsis-nn"}
    assert "on other targets with this core" in as_text(report)
