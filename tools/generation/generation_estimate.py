"""The result of an estimate of text generation."""

from ..core.quantity import Quantity, Result
from ..verdicts.verdict import Verdict
from .remedy import Remedy


class Offloaded(Result):
    """A model that its card does not hold: the layers beside it lie in the computer's memory."""

    gpu_layers: int
    """On the card; the cores compute the others."""
    host: str
    """The computer, or its memory, that the others are read from."""
    statement: str
    """Which layers lie where."""
    host_is_taken: bool
    """Whether nobody named it."""
    host_bandwidth_bytes_per_s: float | None
    """At most, of its memory; null where it is not known."""
    host_bytes: int
    """That lie in its memory."""
    verdict: Verdict
    """Whether both hold it, as far as the host's memory is known."""
    decode_tokens_per_s: Quantity
    """Of all sessions together: a token waits for the card and then for the cores."""
    full_context_tokens_per_s: Quantity
    """Likewise, once the whole context is in the cache."""


class Crowd(Result):
    """Several sessions at once."""

    sessions: int
    """How many."""
    decode_tokens_per_s: Quantity
    """Of all together."""
    session_tokens_per_s: Quantity
    """Of each."""
    energy_uj_per_token: Quantity
    """Of each token, at the power of the whole target."""
    kv_cache_bytes: int
    """Of all of them."""
    total_bytes: int
    """Weights, caches and buffers."""


class Accepted(Result):
    """What a draft brings where a share of its tokens is accepted."""

    share: float
    """Of the drafted tokens that the large model would have written too."""
    drafted: int
    """Tokens at a time: as many as bring most."""
    times: float
    """As fast as the large model alone."""
    decode_tokens_per_s: Quantity
    """Of both together."""


class Draft(Result):
    """A small model that writes ahead for the large one."""

    model: str
    """Its id."""
    weights: str
    """Format of its weights."""
    decode_tokens_per_s: Quantity
    """Of the draft alone."""
    total_bytes: int
    """Of both, with both caches."""
    verdict: Verdict
    """Whether both fit."""
    statement: str
    """What it brings, by how much of it is accepted, and what both take."""
    accepted: tuple[Accepted, ...]
    """By the share that is accepted, which the text decides; none where both do not fit."""


class GenerationEstimate(Result):
    """Whether a language model fits a target's memory, and how fast it reads a prompt and writes."""

    schema_version: str = "1.0"
    model: str
    """Id of the language model."""
    target: str
    """Id of the target."""
    processor: str
    """gpu, cpu or npu."""
    runtime: str
    """The engine: llama.cpp, rkllm, vllm …"""
    weights: str
    """Format of the weights."""
    kv: str
    """Format of the KV cache."""
    context: int
    """Tokens that the cache of each session has room for."""
    prompt_tokens: int
    """Tokens of the prompt; so many are in the cache while one session alone decodes."""
    batch: int
    """Sessions at once."""
    parameters: int
    """Weights of the model, all experts included."""
    active_parameters: int
    """Of those, what each token is multiplied with."""
    weights_bytes: int
    """Of the whole model in this format."""
    kv_cache_bytes: int
    """Of all sessions at the full context."""
    buffer_bytes: int
    """Activations and scores of the tokens of a prompt that are computed together."""
    total_bytes: int
    """Weights, cache and buffers."""
    ram_bytes: int | None
    """What the target has for all; None where it is not known."""
    usable_bytes: int | None = None
    """What of that the runtime takes by default, or the system gives: the longest context goes by it."""
    headroom: str = ""
    """Why that is less."""
    left_bytes: int | None = None
    """Of the memory, what stays for the system and other programs; null where it is not known."""
    widest_weights: str | None = None
    """The widest of the engine's usual formats, up to 8 bits, that fits with room to spare; null for none."""
    cards: int = 1
    """Of the target, which share the layers."""
    cards_needed: int | None = None
    """Of the target, the fewest that hold all of it; null of what is no graphics card."""
    layers: int
    """Of the model."""
    gpu_layers: int | None = None
    """Of those, on the GPU, where they were split; the cores compute the others."""
    most_gpu_layers: int | None = None
    """That fit the memory of the GPU; null where none computes, or its memory is not known."""
    offloaded: Offloaded | None = None
    """With layers in the computer's memory, where the card does not hold all and the runtime splits them."""
    remedies: tuple[Remedy, ...] = ()
    """What would do where it does not fit, or not beside what its runtime leaves free; where asked for."""
    verdict: Verdict
    """Whether it all fits: MARGINAL where it leaves less than a tenth of the memory."""
    statement: str
    max_context: int | None
    """The most tokens of each session that fit, at most what the model was made for."""
    held_context: int | None = None
    """The most that the memory holds, whatever the model was made for; null where none ends it."""
    context_bound: str | None = None
    """What the longest context ends at: memory, or the model, which was made for no more."""
    bandwidth_bytes_per_s: float | None
    """Of the memory that the weights are read from; null where it is not known."""
    decode_tokens_per_s: Quantity
    """Of one session with the prompt in the cache; of several together, each with its context full, as their
    memory is counted."""
    full_context_tokens_per_s: Quantity
    """Likewise, once the whole context is in it: the cache is read for every token."""
    session_tokens_per_s: Quantity
    """Of each session."""
    most_sessions: int | None = None
    """Of this context, that each write as fast as is asked; null where no rate was, 0 where one does not."""
    sessions_bound: str | None = None
    """What more of them end at: memory or speed; null where none ends them."""
    draft: Draft | None = None
    """With a small model that writes ahead, where one was named."""
    crowds: tuple[Crowd, ...] = ()
    """One session, and twice as many again as long as they fit; where they were asked for."""
    paying: Crowd | None = None
    """Of those, the last before twice as many bring less than a quarter more, or do not fit."""
    paying_bound: str | None = None
    """What ends them: memory or speed; null where nothing does."""
    prefill_tokens_per_s: Quantity
    """Of the prompt."""
    time_to_first_token_ms: Quantity
    """Until all sessions have read their prompts."""
    energy_uj_per_token: Quantity
    """At the power that the whole target draws while it computes, its rated one where none was measured."""
    published_tokens_per_s: Quantity
    """Of those that follow, what was measured in this format, from the least to the most; unknown without."""
    published: tuple[str, ...] = ()
    """Speeds of this model on this target that others measured, with where they were read."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        return self.statement

    @property
    def holds(self) -> bool:
        """Whether it all goes into what the runtime takes by default."""
        beyond = self.usable_bytes is not None and self.total_bytes > self.usable_bytes
        return self.verdict is not Verdict.FAIL and not beyond
