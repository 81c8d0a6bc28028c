"""Windows that slide, strides, and images that are enlarged."""

from __future__ import annotations

import math

from .npu_operator import NpuOperator, Rule, extent

_STRIDE = 3
_POOL_WINDOW = 256
_PADDED_POOL_WINDOW = 8
_UNROLLED = frozenset({"CONV_2D", "AVERAGE_POOL_2D", "MAX_POOL_2D"})
_RESIZING = frozenset({"RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR"})
_UP = 8
_UP_HALF_PIXEL = 2
_U85_UP = 2048
_U85_UP_HALF_PIXEL = 1024


def stride(case: NpuOperator) -> str | None:
    """Ethos-U55 and Ethos-U65 move a depthwise window on by at most 3."""
    if case.is_u85 or case.kind != "DEPTHWISE_CONV_2D" or max(case.stride) <= _STRIDE:
        return None
    return f"it moves on by {extent(case.stride)}"


def unrolled_stride(case: NpuOperator) -> str | None:
    """Ethos-U55 and Ethos-U65 move a window on by more than 3 only without padding and dilation."""
    steps = [step for step, made in zip(case.stride, case.made[1:3], strict=True) if made > 1]
    if case.is_u85 or case.kind not in _UNROLLED or max(steps, default=1) <= _STRIDE:
        return None
    option = case.at.op.option_int
    dilated = (option("dilation_h_factor", 1), option("dilation_w_factor", 1)) != (1, 1)
    return f"it moves on by {extent(case.stride)}" if case.is_padded or dilated else None


def average_window(case: NpuOperator) -> str | None:
    """An average is taken over at most 8 by 8 where padding is added, else over 256 rows and 65536 in all."""
    if case.kind != "AVERAGE_POOL_2D":
        return None
    if not case.is_padded:
        return _too_large(case)
    return f"the window is {extent(case.window)}" if max(case.window) > _PADDED_POOL_WINDOW else None


def maximum_window(case: NpuOperator) -> str | None:
    """A maximum is taken over at most 256 rows and 65536 in all."""
    return _too_large(case) if case.kind == "MAX_POOL_2D" else None


def transposed_shape(case: NpuOperator) -> str | None:
    """A transposed convolution makes stride times its input, unpadded also what the window stands over."""
    if case.kind != "TRANSPOSE_CONV" or len(case.made) != 4:
        return None
    grown = [size * step for size, step in zip(case.image[1:3], case.stride, strict=True)]
    if case.at.op.option_str("padding", "VALID") != "SAME":
        over = [max(window - step, 0) for window, step in zip(case.window, case.stride, strict=True)]
        grown = [size + more for size, more in zip(grown, over, strict=True)]
    return None if tuple(grown) == case.made[1:3] else f"it makes {extent(case.made[1:3])} of {extent(grown)}"


def transposed_stride(case: NpuOperator) -> str | None:
    """Ethos-U55 and Ethos-U65 take a transposed stride of 1 by 1 or 2 by 2, along a line 1 by 2."""
    if case.is_u85 or case.kind != "TRANSPOSE_CONV":
        return None
    (down, across), (height, width) = case.stride, case.window
    single_column = case.image[2] == 1 and width == 1
    single_row = case.image[1] == 1 and height == 1
    allowed = {(1, 1), (2, 2)} | ({(2, 1)} if single_column else set()) | ({(1, 2)} if single_row else set())
    return None if (down, across) in allowed else f"it moves on by {extent(case.stride)}"


def enlarged(case: NpuOperator) -> str | None:
    """Ethos-U55 and Ethos-U65 enlarge an image 2, 4 or 8 times both ways, by half pixels 2 times."""
    if case.is_u85 or case.kind not in _RESIZING or case.image[1:3] == (1, 1):
        return None
    half = case.kind == "RESIZE_BILINEAR" and bool(case.at.op.options.get("half_pixel_centers", False))
    if case.image[1:3] == case.made[1:3]:
        return "the size stays, with half pixel centres" if half else None
    down, across = _factors(case)
    text = f"it enlarges by {down:g} and {across:g}"
    single = (case.made[1] == 1 and down == 1) or (case.made[2] == 1 and across == 1)
    if down != across and (not single or half):
        return text
    factor = max(down, across)
    whole = factor == math.trunc(factor) and int(factor).bit_count() == 1
    return None if whole and 1 < factor <= (_UP_HALF_PIXEL if half else _UP) else text


def corners_or_centres(case: NpuOperator) -> str | None:
    """Corners are aligned or pixel centres halved, not both."""
    if not case.is_u85 or case.kind not in _RESIZING:
        return None
    options = case.at.op.options
    return (
        "both are asked for" if options.get("align_corners") and options.get("half_pixel_centers") else None
    )


def enlarged_on_u85(case: NpuOperator) -> str | None:
    """Ethos-U85 enlarges at most 2048 times, by half pixels 1024 times; bilinearly by a power of two."""
    if not case.is_u85 or case.kind not in _RESIZING:
        return None
    aligned = bool(case.at.op.options.get("align_corners", False))
    half = not aligned if case.kind == "RESIZE_NEAREST_NEIGHBOR" else False
    half = half or bool(case.at.op.options.get("half_pixel_centers", False))
    for made, size in zip(case.made[1:3], case.image[1:3], strict=True):
        above, below = (made - 1, size - 1) if aligned and size > 1 else (made, size)
        if not above or not below or above // below > (_U85_UP_HALF_PIXEL if half else _U85_UP):
            return f"it makes {made} of {size}"
        power = above % below == 0 and (above // below).bit_count() == 1
        if case.kind == "RESIZE_BILINEAR" and case.image[1:3] != (1, 1) and not power:
            return f"it makes {made} of {size}"
    return None


def _too_large(case: NpuOperator) -> str | None:
    height, width = case.window
    fits = 1 <= height <= _POOL_WINDOW and height * width <= _POOL_WINDOW**2
    return None if fits else f"the window is {extent(case.window)}"


def _factors(case: NpuOperator) -> tuple[float, float]:
    aligned = case.at.op.options.get("align_corners", False)
    down, across = (
        (1.0 if made == 1 else (made - 1) / max(size - 1, 1e-9)) if aligned else made / size
        for made, size in zip(case.made[1:3], case.image[1:3], strict=True)
    )
    return down, across


RULES: tuple[Rule, ...] = (
    stride,
    unrolled_stride,
    average_window,
    maximum_window,
    transposed_shape,
    transposed_stride,
    enlarged,
    corners_or_centres,
    enlarged_on_u85,
)
