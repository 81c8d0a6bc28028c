"""Published accuracies: each as its source prints it, and compared only where they were measured alike."""

import pytest

from edgewright.tools import PublishedAccuracy, UsageError, published_accuracy
from edgewright.tools.model_zoo.published import PublishedModel, published_models, sources, spelt

ROWS = {(row.model, row.architecture, row.precision): row for row in published_models()}


def compared(found: PublishedAccuracy) -> list[tuple[str, float]]:
    return [(row.model, row.behind.value or 0.0) for row in found.compared]


def test_every_row_of_the_table_is_found_under_its_own_name_as_it_is_printed() -> None:
    for row in published_models():
        found = published_accuracy(row.architecture).rows
        [own] = [one for one in found if (one.weights, one.precision) == (row.model, row.precision)]
        assert own.accuracy == pytest.approx(row.accuracy / 100, abs=1e-9)
        assert (own.dataset, own.metric) == (row.dataset, row.metric)
        assert own.source == sources()[row.source].where


def test_a_usual_width_and_side_are_the_network_as_it_is() -> None:
    plain = published_accuracy("mobilenet_v2")
    for name in ("mobilenet_v2:1.0", "MobileNetV2 224", "mobilenet_v2:1.0:224"):
        assert published_accuracy(name) == plain
    assert published_accuracy("mobilenet_v2:0.5").rows != plain.rows


def test_a_narrower_one_is_behind_by_what_its_source_tells() -> None:
    found = published_accuracy(["mobilenet_v2:0.5", "mobilenet_v2", "mobilenet_v2:160"])
    of = {row.architecture: row.accuracy for row in published_models() if row.source == "slim-v2"}
    best = of["mobilenet_v2"]
    assert compared(found) == [
        ("mobilenet_v2", 0),
        ("mobilenet_v2:160", pytest.approx(best - of["mobilenet_v2:160"])),
        ("mobilenet_v2:0.5", pytest.approx(best - of["mobilenet_v2:0.5"])),
    ]
    assert {row.publisher for row in found.compared} == {"TensorFlow-Slim"}


def test_two_are_compared_in_one_type_of_one_publisher_where_there_is_such_a_pair() -> None:
    """Of MobileNet v1 there are weights of timm above all that are known of v2."""
    found = published_accuracy(["mobilenet_v1", "mobilenet_v2"])
    assert [row.model for row in found.compared] == ["mobilenet_v2", "mobilenet_v1"]
    assert {(row.precision, row.publisher) for row in found.compared} == {("float32", "TensorFlow-Slim")}
    assert not found.assumptions


def test_other_sources_and_recipes_are_told() -> None:
    [apart] = published_accuracy(["yolov8n", "yolov5n"]).assumptions
    assert "different sources" in apart
    [recipes] = published_accuracy(["resnet50:160", "resnet50"]).assumptions
    assert "different recipes" in recipes


@pytest.mark.parametrize(
    "models", [["kws", "resnet50"], ["yolov8n", "yolov8n_seg"], ["vww", "mobilenet_v2"], ["wav2letter", "ad"]]
)
def test_what_was_measured_otherwise_is_not_compared(models: list[str]) -> None:
    found = published_accuracy(models)
    assert not found.compared
    assert found.apart == tuple(models)
    assert {row.model for row in found.rows} == set(models)


def test_of_three_the_one_measured_otherwise_stays_apart() -> None:
    found = published_accuracy(["mobilenet_v2", "kws", "mobilenet_v1"])
    assert [row.model for row in found.compared] == ["mobilenet_v2", "mobilenet_v1"]
    assert found.apart == ("kws",)


def test_less_is_better_of_error_rates() -> None:
    """No two networks share one today: the rank that the comparison goes by is what is tested."""
    errors = [row for row in published_models() if row.metric in ("WER", "LER")]
    assert errors
    assert all(row.rank_key > 0 for row in errors)
    assert all("less is better" in published_accuracy(row.architecture).assumptions[0] for row in errors)


def test_types_of_a_network_are_compared_of_one_publisher_alone() -> None:
    found = published_accuracy(["kws_dnn_s:float32", "kws_dnn_s:int8"])
    wide, narrow = (ROWS["DNN Small (Arm)", "kws_dnn_s", dtype].accuracy for dtype in ("float32", "int8"))
    assert compared(found) == [("kws_dnn_s:float32", 0), ("kws_dnn_s:int8", pytest.approx(wide - narrow))]
    none = published_accuracy(["mobilenet_v2:float32", "mobilenet_v2:int8"])
    assert not none.compared
    assert "No one source" in none.assumptions[0]


def test_a_type_that_nobody_published_is_unknown_and_not_that_of_another_type() -> None:
    found = published_accuracy(["resnet50:float32", "resnet50:int8"])
    assert found.unknown == ("resnet50:int8",)
    assert not found.compared


def test_the_type_asked_for_goes_before_others_and_is_said_to_be_missing() -> None:
    assert {row.precision for row in published_accuracy("mobilenet_v2", dtype="int8").rows} == {"int8"}
    found = published_accuracy(["mobilenet_v2", "efficientnet_lite0"], dtype="int8")
    assert {row.precision for row in found.compared} == {"float32"}
    assert "No accuracy of efficientnet_lite0 in int8 was read." in found.assumptions


def test_files_and_unknown_names_have_no_published_accuracy() -> None:
    found = published_accuracy(["kws.tflite", "no_such_net", "kws"])
    assert found.unknown == ("kws.tflite", "no_such_net")
    assert {row.model for row in found.rows} == {"kws"}


def test_of_language_models_the_quality_of_the_base_model_is_told() -> None:
    found = published_accuracy(["llama-3-8b", "qwen2.5-7b"])
    assert [row.dataset for row in found.compared] == ["MMLU, 5-shot, base model"] * 2
    assert found.compared[0].model == "qwen2.5-7b"


@pytest.mark.parametrize("models", [[], [f"net{i}" for i in range(13)]])
def test_none_and_too_many_are_refused(models: list[str]) -> None:
    with pytest.raises(UsageError):
        published_accuracy(models)


def test_names_of_the_table_are_spelt_without_what_is_usual() -> None:
    def usual(row: PublishedModel) -> str:
        return spelt(row.architecture)[0]

    assert spelt("mobilenet_v1:0.25:96")[0] == "vww"
    assert all(spelt(usual(row))[0] == usual(row) for row in published_models())
