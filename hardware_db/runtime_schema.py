"""The shape of `runtimes/*.yaml`. Attribute docstrings become the JSON Schema that editors use."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from .cited import Closed, Leaf, Source


class Planner(StrEnum):
    """How a runtime lays activations out in memory."""

    TFLM_GREEDY = "tflm-greedy"
    IN_PLACE = "in-place"
    LITERT_ARENA = "litert-arena"
    COMPILED = "compiled"
    """A compiler gives every activation its place in one buffer: no interpreter's structures."""
    ALLOCATOR = "allocator"
    """A general allocator on a machine with virtual memory: peak of live tensors."""


class Fallback(StrEnum):
    """What a runtime does with an operator that it does not accelerate."""

    NONE = "none"
    CPU = "cpu"


class Availability(StrEnum):
    """How one gets a runtime."""

    OPEN_SOURCE = "open-source"
    FREE = "free"
    """A vendor's tool that anybody may download, if need be after registration."""
    LICENCE = "licence"
    """Sold, or given to customers."""
    SUBMISSION = "submission"
    """Only seen in a benchmark submission: nobody outside can get it."""


class Mapped(StrEnum):
    """How much of a model a runtime puts on its accelerator where not every operator is taken."""

    EVERY = "every"
    """Every operator that is taken, in as many pieces as that makes."""
    LARGEST = "largest"
    """The pieces with most operators, up to a number of them."""
    FRONT = "front"
    """One piece: from the first operator that is taken to the next that is not."""


class Partition(Closed):
    """How a runtime splits a model between its accelerator and the CPU."""

    mapped: Mapped
    most: int | None = None
    """Most pieces on the accelerator, of `largest`; null: no limit."""
    source: str
    locator: str


class Limit(StrEnum):
    """What a kernel may restrict of the operators that it takes."""

    BATCH = "batch"
    """First dimension of a data input of four dimensions."""
    DIMENSION = "dimension"
    """Every dimension of every data input and output."""
    CHANNELS_IN = "channels-in"
    CHANNELS_OUT = "channels-out"
    KERNEL = "kernel"
    """Height and width of the window."""
    KERNEL_AREA = "kernel-area"
    """Height times width of the window."""
    DILATED_HEIGHT = "dilated-height"
    """Height that the window spans with its dilation."""
    DILATED_AREA = "dilated-area"
    STRIDE = "stride"
    """Height and width of the step."""
    DILATION = "dilation"
    DEPTH_MULTIPLIER = "depth-multiplier"


class Pair(StrEnum):
    """What a kernel may need to be the same in height and width."""

    DILATION = "dilation"
    KERNEL = "kernel"
    STRIDE = "stride"


class Refused(Closed):
    """An operator that a source says the runtime does not take, or does not accelerate."""

    because: str = ""
    """What the source gives as its reason."""
    source: str
    locator: str


OptionTaken = Annotated[int | float | bool | str, Field(union_mode="left_to_right")]
"""The files hold text: a number is one, whatever else the text could be."""


class Wider(Closed):
    """What a runtime does by itself with an operator that has no kernel of the type asked for."""

    instead: dict[str, tuple[str, ...]]
    """By type, those in which it is computed, the first that the operator has a kernel for."""
    source: str
    locator: str


class Loads(Closed):
    """Which ONNX files a runtime that runs them opens at all."""

    ir_version: int
    """Highest version of the representation."""
    opset: int
    """Highest version of ONNX's own operators; all that it has kernels for stand as CUSTOM:name."""
    source: str
    locator: str


class Scales(Closed):
    """What a kernel asks of the scales of an integer operator, each by the type of its input."""

    product_below: dict[str, float] = Field(default={})
    """What scale of the input × largest scale of constant weights / scale of the output has to stay below."""
    largest_below: dict[str, float] = Field(default={})
    """What largest scale of an input / scale of the output has to stay below."""
    square_below: dict[str, float] = Field(default={})
    """What largest scale of an input, squared / scale of the output has to stay below."""
    one: dict[str, float] = Field(default={})
    """Inputs and outputs have one zero point, and scales that lie no further apart."""
    output: dict[str, tuple[float | None, float | None]] = Field(default={})
    """Scale and zero point of the output; null: any."""


class OpSupport(Closed):
    """One operator in a runtime: which versions and types, and by which kernels."""

    dtypes: tuple[str, ...]
    """Types of the first data input for which a kernel exists; empty: not stated by the source."""
    max_version: int | None = None
    """Highest operator version that the runtime registers; null: not stated by the source."""
    opsets: tuple[int, ...] = ()
    """Of an operator of ONNX, the opset versions whose definition has a kernel; empty: not stated."""
    optimized: tuple[str, ...] = ()
    """Of `dtypes`, those that have a kernel written for the core; the others run on portable code."""
    optimized_on: tuple[str, ...] = ()
    """Core features, any of which those kernels need (dsp, mve, neon): a core without runs portable code."""
    weight_dtypes: dict[str, tuple[str, ...]] = Field(default={})
    """By input type, the types its weights may have; an input type that is not listed is not restricted."""
    output_dtypes: dict[str, tuple[str, ...]] = Field(default={})
    """By input type, the types its output may have; an input type that is not listed is not restricted."""
    constant_inputs: tuple[int, ...] = ()
    """Positions of inputs that the kernel needs to know before it runs."""
    max_rank: int | None = None
    """Most dimensions of the data input."""
    max_inputs: int | None = None
    least_inputs: int | None = None
    """So many first inputs have to be there, optional ones too."""
    bias_dtypes: dict[str, tuple[str, ...]] = Field(default={})
    """By input type, the types its bias may have; an input type that is not listed is not restricted."""
    per_channel: bool | None = None
    """Whether weights may have a scale for each channel; null: not stated by the source."""
    limits: dict[Limit, tuple[int, int]] = Field(default={})
    """The least and the most that the kernel takes of what it restricts."""
    multiples: dict[Limit, int] = Field(default={})
    """What has to divide what the kernel restricts."""
    square: tuple[Pair, ...] = ()
    """What has to be the same in height and width."""
    options: dict[str, tuple[OptionTaken, ...]] = Field(default={})
    """By option of the operator, the values that the kernel takes; an absent option is not restricted."""
    exclusive: dict[str, tuple[str, ...]] = Field(default={})
    """By input type, options of which the kernel takes one at most; other types are not restricted."""
    input_values: dict[int, tuple[int, ...]] = Field(default={})
    """By position of an integer input, the values that each of its elements may have."""
    keeps_batch: bool = False
    """Whether the operator has to leave the first dimension as it is."""
    scales: Scales | None = None
    source: str
    locator: str


class SparseKernels(Closed):
    """Kernels that skip weights of zero."""

    pattern: Annotated[str, Field(pattern=r"^(any|[1-9]:[1-9])$")]
    """Which weights may be zero: any, or so many of so many neighbours (2:4)."""
    least_zeros: Annotated[float, Field(ge=0, le=1)] = 0.0
    """Share of zeros from which on they are used."""
    condition: str
    """What the source asks of the model besides."""
    source: str
    locator: str


class Runtime(Closed):
    """A kernel library with its interpreter or compiler."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9.@-]*$")]
    name: str
    vendor: str
    aliases: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    """Wider names that this runtime is one of: naming one asks back with its members."""
    sources: dict[str, Source]
    planner: Planner
    arena_alignment: Leaf[int] | None = None
    availability: Leaf[Availability] | None = None
    """How one gets it; null: not known. What nobody can get is compared with, and never advised."""
    usual_dtype: Leaf[str]
    """Precision that people deploy with it; a named architecture is taken in it unless one is asked for."""
    runs_on_isas: tuple[str, ...] = ()
    """Instruction sets of cores that it has kernels for; empty: it runs on an accelerator."""
    runs_on_accelerators: tuple[str, ...] = ()
    """Accelerators that it drives: families (ethos-u55, edgetpu), or a kind for all of that kind."""
    operators: dict[str, OpSupport]
    """By TFLite builtin name; a custom operator as CUSTOM:name."""
    refuses: dict[str, Refused] = Field(default={})
    """Operators that are named as not taken: of an incomplete list, what is known to be missing."""
    complete: bool = True
    """Whether `operators` lists all that it supports: one missing from an incomplete list is unknown."""
    fallback: Fallback = Fallback.NONE
    fallback_runtimes: tuple[str, ...] = ()
    """Runtimes whose kernels then compute it: the first that runs on the core; none: not stated."""
    fallback_takes_all: bool = False
    """Whether it compiles every operator of the format that it does not accelerate for a CPU."""
    loads: Loads | None = None
    """Null: it runs no ONNX files, or what it opens is not stated by a source."""
    wider: Wider | None = None
    """How it mixes types by operator; null: an operator without a kernel of its type does not run."""
    partition: Partition | None = None
    """How it splits a model that its accelerator does not take in whole; null: not stated by a source."""
    inner_dimensions: int | None = None
    """Dimensions, counted from the innermost, that may be larger than 1; null: not restricted."""
    folds_constants: bool = False
    """Whether it compiles the model, and computes ahead what follows from constants and fixed shapes."""
    sparse_kernels: tuple[SparseKernels, ...] = ()
    """Kernels for weights with zeros, as far as a source tells of them."""
    code_bytes: Leaf[int] | None = None
    """Flash of interpreter and kernels of a typical build."""
    notes: tuple[str, ...] = ()

    @property
    def obtainable(self) -> bool:
        """Whether anybody can get it, as far as is known."""
        return self.availability is None or self.availability.value is not Availability.SUBMISSION

    def __str__(self) -> str:
        return f"{self.id}: {self.name} ({self.vendor}), {len(self.operators)} kinds of operators"
