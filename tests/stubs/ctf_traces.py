"""Traces in the Common Trace Format, written as Zephyr and Zephelin lay them out, in our own words."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence

HEAD = """/* CTF 1.8 */
typealias integer { size = 8; align = 8; signed = false; } := uint8_t;
typealias integer { size = 16; align = 8; signed = false; } := uint16_t;
typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
typealias integer { size = 8; align = 8; signed = false; encoding = ASCII; } := letter_t;
typealias floating_point { exp_dig = 8; mant_dig = 24; byte_order = le; align = 8; } := float32;
struct event_header { uint32_t timestamp; uint8_t id; };
trace { major = 1; minor = 8; byte_order = le; };
stream { event.header := struct event_header; };
"""
_OPERATOR = (
    "uint32_t thread_id; uint16_t subgraph_idx; uint16_t op_idx; uint16_t tag_len; letter_t tag[tag_len]; "
)
EVENTS = {
    0x11: ("thread_switched_in", "uint32_t thread_id; letter_t name[20];"),
    0x1B: ("isr_enter", ""),
    0x1C: ("isr_exit", ""),
    0x62: ("named_event", "letter_t name[20]; uint32_t arg0; uint32_t arg1;"),
    0xA0: ("zpl_tflm_enter", _OPERATOR + "uint32_t arena_used_bytes; uint32_t arena_tail_usage;"),
    0xA1: ("zpl_tflm_exit", _OPERATOR + "uint32_t arena_used_bytes; uint32_t arena_tail_usage;"),
    0xC1: ("zpl_die_temp_event", "uint16_t sensor_count; float32 die_temp[sensor_count];"),
    0xD0: ("zpl_inference_enter", "uint32_t thread_id;"),
    0xD1: ("zpl_inference_exit", "uint32_t thread_id;"),
    0xEF: ("zpl_scope_enter", "uint16_t length; letter_t scope_name[length]; uint32_t cycles; uint32_t thread_id;"),
    0xF0: ("zpl_scope_exit", "uint16_t length; letter_t scope_name[length]; uint32_t cycles; uint32_t thread_id;"),
}  # fmt: skip
_IDS = {name: number for number, (name, _) in EVENTS.items()}
MAIN = 0x2000_0010


def metadata(without: Iterable[int] = ()) -> str:
    layouts = (
        f"event {{ name = {name}; id = {number:#x}; fields := struct {{ {fields} }}; }};\n"
        for number, (name, fields) in EVENTS.items()
        if number not in without
    )
    return HEAD + "".join(layouts)


def event(name: str, ns: int, payload: bytes = b"") -> bytes:
    return struct.pack("<IB", ns % (1 << 32), _IDS[name]) + payload


def operator(name: str, ns: int, index: int, tag: str, subgraph: int = 0) -> bytes:
    said = struct.pack("<IHHH", MAIN, subgraph, index, len(tag)) + tag.encode()
    return event(name, ns, said + struct.pack("<II", 15_408, 88))


def inferences(
    tags: Sequence[str], took_us: Sequence[float], runs: int, start_ns: int = 1000
) -> Iterator[bytes]:
    """Operators one after the other, each as long as it is said to take, a little more in each run."""
    ns = start_ns
    for _ in range(runs):
        yield event("zpl_inference_enter", ns, struct.pack("<I", MAIN))
        for index, (tag, us) in enumerate(zip(tags, took_us, strict=True)):
            yield operator("zpl_tflm_enter", ns, index, tag)
            ns += round(us * 1e3)
            yield operator("zpl_tflm_exit", ns, index, tag)
        ns += 2000
        yield event("zpl_inference_exit", ns, struct.pack("<I", MAIN))
        ns += 500_000
