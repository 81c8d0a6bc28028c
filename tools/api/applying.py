"""Changes really made to a model file, and how far the prediction was from what came out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.renamed import takes_where
from ..optimization_simulator.applied.applied_optimization import AppliedOptimization
from ..optimization_simulator.applied.apply import applied

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from ..core.deployment import Deployment


@takes_where
def apply_optimization(
    path: str | os.PathLike[str],
    technique: str,
    output: str | os.PathLike[str],
    *,
    deployment: Deployment | str | None = None,
    data: str | os.PathLike[str] | None = None,
    force: bool = False,
    progress: Callable[[str], None] | None = None,
    metric: str | None = None,
) -> AppliedOptimization:
    """Change a model file, run it on this machine beside the original, and compare with the prediction.

    Args:
        path: a .tflite file, quantised by ai-edge-quantizer, or an .onnx file, by ONNX Runtime's quantiser.
            Channels that stay are those with the largest filters (L1 norm).
        technique: int8, int8-float-io, int16x8, dynamic-range, float16, weights-int8 or weights-int4;
            prune-P, width-P, align-N, input-HxW or fuse; of a .tflite file also relu6, drop-block and what
            else `optimize --list` names and needs no weights that only training gives, and mixed or mixed-DB:
            int8 with as few layers in float32 as it takes for the outputs to reach so many dB of signal to
            noise (mixed: 6 more than int8). Several are joined by +.
        output: where the result goes; it appears whole or not at all.
        deployment: the deployment whose planner tells the arena; None tells the peak of live tensors.
        data: samples to calibrate with and to compare on: a .npz file with one array an input, a .npy file
            for a model of one input, or a folder of such files; the first axis counts samples. None draws
            random ones, and says so. Where the .npz holds `labels`, or the folder one for each class, the
            accuracy of both files is measured.
        force: overwrite a file.
        progress: called with a line of text before each step.
        metric: MODULE:FUNCTION, called with a list of outputs and the labels, such as a mAP; None counts how
            often the largest output is the label's (top-1).

    Raises:
        UsageError: a technique that is not known, does not apply or cannot be applied to such a file, data
            that do not fit the model's inputs, a file that exists, or the extra `apply` is not installed.
        InputError: the model cannot be read or its quantiser fails on it.
        EdgewrightError: the disk is full, or the folder may not be written to.

    Example:
        >>> applied = apply_optimization("kws-float32.tflite", "int8", "kws-int8.tflite")
        >>> applied.before.file_bytes > 2 * applied.obtained.file_bytes
        True
        >>> applied.drift.cosine > 0.9
        True
    """
    return applied(
        path, technique, output, deployment=deployment, data=data, force=force, progress=progress,
        metric=metric,
    )  # fmt: skip
