"""The models that read a question, held to the labelled questions."""

from __future__ import annotations

import numpy as np
import pytest

from edgewright.agent.planner.classifier import classifier
from edgewright.agent.planner.features import NOWHERE, Setting
from edgewright.agent.planner.formats_said import kv_formats_in
from edgewright.agent.planner.query import Role
from edgewright.agent.planner.reading import read
from edgewright.agent.planner.want import Want
from edgewright.tools.model_zoo.weight_format import load_formats
from tests.evaluation.fit import HERE, labelled_questions

WRITTEN = sorted(HERE.glob("asked_*.jsonl"))


@pytest.mark.parametrize("file", WRITTEN, ids=lambda file: file.stem)
def test_the_stored_models_are_those_of_the_labelled_questions(file: object) -> None:
    rows = [row for row in labelled_questions(file) if not row.get("after")][::12]  # type: ignore[arg-type]
    wanted = [set(row["wants"]) for row in rows]
    heard = [set(read(row["q"]).wants) for row in rows]
    share = sum(len(h & w) for h, w in zip(heard, wanted, strict=True)) / sum(map(len, wanted))
    assert share > 0.75, "run `make intents`"


def test_every_label_of_the_questions_is_a_want() -> None:
    assert set(classifier("wants").labels.tolist()) <= {want.value for want in Want}


@pytest.mark.parametrize("name", ["wants", "roles"])
def test_a_classifier_knows_a_feature_by_its_hash_and_leaves_out_what_it_never_saw(name: str) -> None:
    model = classifier(name)
    assert (np.diff(model.known.astype(np.int64)) > 0).all()
    assert model.table.shape == (len(model.known), len(model.turn) + len(model.labels))
    never = next(hash_ for hash_ in range(1 << 16) if hash_ not in set(model.known.tolist()))
    assert model.chances({never: 1.0}) == model.chances({})
    seen = model.chances({int(model.known[0]): 1.0})
    assert seen != model.chances({})
    assert list(seen.values()) == sorted(seen.values(), reverse=True)
    assert all(0 <= chance <= 1 for chance in seen.values())


def test_a_question_wants_all_that_it_asks() -> None:
    query = read("ic.tflite on the STM32F746 disco. ram, flash, ms")
    assert {Want.RAM, Want.FLASH, Want.LATENCY} <= set(query.wants)


def test_what_was_wanted_before_helps_to_read_what_follows() -> None:
    follow = Setting(frozenset(("model", "target")), True, (Want.LATENCY,))
    assert Want.SAME in read("and on the esp32-s3?", follow).wants
    assert Want.SAME not in read("and on the esp32-s3?", NOWHERE).wants


def test_every_spelling_that_the_formats_give_a_kv_cache_is_read() -> None:
    for entry in load_formats().kv:
        for name in (entry.id, *entry.aliases):
            assert kv_formats_in(f"with a {name} kv cache") == (entry.id,)


def test_what_a_size_goes_down_to_is_the_second_of_two() -> None:
    assert read("vww on an stm32f446, going from 96 to 64 px").numbers(Role.SIDE) == (64,)
