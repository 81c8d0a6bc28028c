"""Fine-tuning a language model on one card: memory and hours of full, LoRA and QLoRA runs, roughly."""

from enum import StrEnum

from ...hardware_db import Target
from ...hardware_db.derived import accelerator_peak_ops_per_s, active_mw
from ...hardware_db.errors import UsageError
from ..core.quantity import Basis, Quantity, Result
from ..core.records import dataclass
from ..core.units import digits
from ..model_zoo.language_model import LanguageModel
from ..model_zoo.weight_format import weight_format
from ..verdicts.verdict import Verdict
from .memory import Room, verdict_of
from .silicon import Silicon, held


class Method(StrEnum):
    """What is trained, and how the weights beside it are stored."""

    FULL = "full"
    LORA = "lora"
    QLORA = "qlora"


ADAM_BYTES = 16
"""Of a trained parameter: 2 of the weight, 4 of its copy in float32, 8 of Adam's states, 2 of the gradient,
as huggingface.co/docs/transformers/v5.14.0/model_memory_anatomy lists them."""
FRAME_BYTES = 1.9e9
"""Beside all that: what Qwen-7B took with LoRA on an A100 (QwenLM/Qwen, finetuning) beyond the rest here."""
_LOGITS, _KEPT = 12, 2
"""Bytes of a token for each word of the vocabulary, and for each layer and hidden value that is kept: its
memory there grew by 2.08 MB a token, from 20.1 GB at 256 to 36.6 GB at 8,192."""
_SHARE = 0.4
"""Of the peak in float16. There LoRA reached 0.40 at 512 tokens and 0.46 at 2,048, QLoRA 0.20 and 0.35; on an
RTX 3090 QLoRA of an 8B reached 0.7 (gigagpu.com/fine-tuning-time-by-gpu)."""
_OPERATIONS = {Method.FULL: 8, Method.LORA: 6, Method.QLORA: 6}
"""Of a token and parameter, activations being computed again: forward twice, backward, and gradients."""
_FACTOR = 2.0
_WEIGHTS = {Method.FULL: "F16", Method.LORA: "F16", Method.QLORA: "AWQ"}
_MOST = 10**12


@dataclass(frozen=True)
class Run:
    """What is trained on."""

    method: Method = Method.LORA
    examples: int = 1000
    tokens_each: int = 512
    epochs: float = 3.0
    rank: int = 16
    batch: int = 1
    """Examples in memory at once."""


class FinetuningEstimate(Result):
    """Whether a run fits a card, and its time: memory to some tenths, hours within a factor of two."""

    schema_version: str = "1.0"
    model: str
    """Id of the language model."""
    target: str
    """Id of the target."""
    method: str
    """full, lora or qlora."""
    examples: int
    """That are trained on."""
    tokens_each: int
    """Of an example."""
    epochs: float
    """Times that each is seen."""
    rank: int
    """Of the adapters."""
    trained_parameters: int
    """Of the adapters, or all."""
    weights_bytes: int
    """As they lie in memory, frozen or trained, without what training adds."""
    training_bytes: int
    """Gradients, copies and states of what is trained."""
    activation_bytes: int
    """Of the examples in memory at once, layers being computed again."""
    total_bytes: int
    """All of that, and what the framework takes."""
    ram_bytes: int | None
    """What the target has."""
    verdict: Verdict
    """Whether it fits."""
    statement: str
    tokens_per_s: Quantity
    """That are trained on."""
    time_ms: Quantity
    """Of the whole run; unknown where it does not fit."""
    energy_uj: Quantity
    """Of it, at the power that the whole target is rated for."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        return self.statement


def finetuning_on(silicon: Silicon, model: LanguageModel, run: Run) -> FinetuningEstimate:
    """Memory and time of a run."""
    _check(run)
    trained = model.parameters if run.method is Method.FULL else adapters(model, run.rank)
    weights = round(model.weights_bytes(weight_format(_WEIGHTS[run.method])))
    states = round(trained * (ADAM_BYTES - (2 if run.method is Method.FULL else 0)))
    kept = run.tokens_each * run.batch
    activations = kept * (_LOGITS * model.vocabulary + _KEPT * model.layers * model.hidden)
    total = weights + states + activations + round(FRAME_BYTES)
    verdict = verdict_of(total, Room(silicon.ram, silicon.ram))
    rate = _rate(silicon.target, model, run.method)
    tokens = run.examples * run.tokens_each * run.epochs
    time = Quantity.unknown("ms")
    if rate.value and verdict is not Verdict.FAIL:
        time = Quantity.within_factor(1e3 * tokens / rate.value, _FACTOR, "ms", Basis.FITTED)
    power = active_mw(silicon.target)
    energy = Quantity.unknown("uJ") if power is None or not time.known else time.scaled(power, "uJ")
    return FinetuningEstimate(
        model=model.id, target=silicon.target.id, method=run.method, examples=run.examples,
        tokens_each=run.tokens_each, epochs=run.epochs, rank=run.rank, trained_parameters=trained,
        weights_bytes=weights, training_bytes=states, activation_bytes=activations, total_bytes=total,
        ram_bytes=silicon.ram, verdict=verdict, statement=_statement(silicon, model, run, total, time),
        tokens_per_s=rate, time_ms=time, energy_uj=energy,
        assumptions=(
            "one card, layers computed again in the backward pass (gradient checkpointing)",
            f"{_SHARE:g} of the card's peak in float16: others reached 0.2 to 0.7",
        ),
    )  # fmt: skip


def adapters(model: LanguageModel, rank: int) -> int:
    """Parameters of adapters of a rank beside every matrix; of experts none, which are left alone."""
    queries, keys = model.heads * model.head_size, model.kv_heads * model.head_size
    sides = 2 * (model.hidden + queries) + 2 * (model.hidden + keys)
    wide = (3 if model.gated else 2) * (model.hidden + model.intermediate) if model.experts == 1 else 0
    return rank * model.layers * (sides + wide)


def _rate(target: Target, model: LanguageModel, method: Method) -> Quantity:
    gpus = (each for each in target.accelerators if each.kind == "gpu")
    peak = next((accelerator_peak_ops_per_s(each, "float16") for each in gpus), None)
    if not peak:
        return Quantity.unknown("tokens/s")
    rate = _SHARE * peak / (_OPERATIONS[method] * model.active_parameters)
    return Quantity.within_factor(rate, _FACTOR, "tokens/s", Basis.FITTED)


def _statement(silicon: Silicon, model: LanguageModel, run: Run, total: int, time: Quantity) -> str:
    what = f"{_CALLED[run.method]} of {model.id} on {silicon.target.id}"
    takes = held(total, silicon.ram)
    over = f"{run.examples:,} examples of {run.tokens_each:,} tokens, each seen {run.epochs:g} times"
    if not time.known or time.value is None or time.low is None or time.high is None:
        return f"{what} does not fit: {takes}" if (silicon.ram or total) < total else f"{what} takes {takes}"
    hours, low, high = (digits(each / _HOUR_MS) for each in (time.value, time.low, time.high))
    return f"{what} takes some {hours} h ({low}–{high} h) for {over}, and {takes}"


_CALLED = {Method.FULL: "training all weights", Method.LORA: "LoRA", Method.QLORA: "QLoRA"}
_HOUR_MS = 3.6e6


def _check(run: Run) -> None:
    counts = {"examples": run.examples, "tokens_each": run.tokens_each, "rank": run.rank, "batch": run.batch}
    for name, count in counts.items():
        if not 1 <= count <= _MOST:
            raise UsageError(f"{count} {name} cannot be trained on.", hint="Give at least one.")
    if not 0 < run.epochs <= _MOST:
        raise UsageError(f"{run.epochs:g} epochs are none.", hint="Give more than zero.")
