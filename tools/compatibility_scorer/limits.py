"""How large a kernel lets an operator be: strides, windows, channels, batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from ...hardware_db.schema import Limit
from .site import Finding, OpSite, Outcome

Measure = Callable[[OpSite], Iterable[int]]

_WEIGHTS_AT = {"CONV_2D": 1, "DEPTHWISE_CONV_2D": 1, "TRANSPOSE_CONV": 1, "FULLY_CONNECTED": 1}
_IMAGE_RANK = 4


def within_limits(site: OpSite) -> Finding | None:
    """The kernel takes the operator only within limits that this one exceeds."""
    for limit, (least, most) in site.support.limits.items() if site.support else ():
        outside = next((n for n in _MEASURES[limit](site) if not least <= n <= most), None)
        if outside is not None:
            named = limit.value.replace("-", " ")
            return Finding(Outcome.REFUSED, f"{named} is {outside}, it takes {least} to {most}")
    return None


def _option(*names: str) -> Measure:
    def read(site: OpSite) -> list[int]:
        values = [site.op.options.get(name) for name in names]
        return [v for v in values if isinstance(v, int) and not isinstance(v, bool)]

    return read


def _window(site: OpSite) -> tuple[int, int] | None:
    """Height and width of what slides over the image; None where the operator slides nothing."""
    filter_size = _option("filter_height", "filter_width")(site)
    if isinstance(filter_size, list) and len(filter_size) == 2:
        return filter_size[0], filter_size[1]
    shape = _weights_shape(site)
    return (shape[1], shape[2]) if len(shape) == _IMAGE_RANK else None


def _weights_shape(site: OpSite) -> tuple[int, ...]:
    position = _WEIGHTS_AT.get(site.op.kind)
    if position is None or position >= len(site.at.inputs):
        return ()
    weights = site.at.inputs[position]
    return weights.shape if weights is not None else ()


def _dilated(site: OpSite) -> tuple[int, int] | None:
    window = _window(site)
    if window is None:
        return None
    by_height, by_width = (*_option("dilation_h_factor", "dilation_w_factor")(site), 1, 1)[:2]
    return (window[0] - 1) * by_height + 1, (window[1] - 1) * by_width + 1


def _batch(site: OpSite) -> list[int]:
    return [t.shape[0] for t in site.at.inputs if t is not None and _is_image(site, t.shape)][:1]


def _is_image(site: OpSite, shape: tuple[int, ...]) -> bool:
    return len(shape) == _IMAGE_RANK and shape != _weights_shape(site)


def _dimensions(site: OpSite) -> list[int]:
    return [extent for t in site.tensors for extent in t.shape if extent >= 0]


def _channels_in(site: OpSite) -> list[int]:
    first = next((t for t in reversed(site.at.inputs[: _data_inputs(site)]) if t is not None), None)
    return list(first.shape[-1:]) if first is not None else []


def _data_inputs(site: OpSite) -> int:
    """Operands up to the image: a transposed convolution has it behind the shape and the weights."""
    return 3 if site.op.kind == "TRANSPOSE_CONV" else 1


def _channels_out(site: OpSite) -> list[int]:
    return [t.shape[-1] for t in site.at.outputs[:1] if t.shape]


_MEASURES: Mapping[Limit, Measure] = {
    Limit.BATCH: _batch,
    Limit.DIMENSION: _dimensions,
    Limit.CHANNELS_IN: _channels_in,
    Limit.CHANNELS_OUT: _channels_out,
    Limit.KERNEL: lambda site: _window(site) or (),
    Limit.KERNEL_AREA: lambda site: [h * w for h, w in [_window(site) or (1, 1)]],
    Limit.DILATED_HEIGHT: lambda site: (_dilated(site) or ())[:1],
    Limit.DILATED_AREA: lambda site: [h * w for h, w in [_dilated(site) or (1, 1)]],
    Limit.STRIDE: _option("stride_h", "stride_w"),
    Limit.DILATION: _option("dilation_h_factor", "dilation_w_factor"),
    Limit.DEPTH_MULTIPLIER: _option("depth_multiplier"),
}
