"""Files as Synaptics' Torq tools write them.

The rows are made up; their columns are those of github.com/synaptics-torq/torq-compiler:
compiler/torq/Codegen/ProfilingPass.cpp (commit 09c4331) writes TIMELINE, a later one NEWER;
doc/user-manual/profiling.md (commit fb57a9b) has RUNTIME and EVENTS, scripts/annotate_profiling.py (commit
f95897e) writes ANNOTATED.
"""

import io
import zipfile
from collections.abc import Sequence
from xml.sax.saxutils import escape


def place(line: int) -> str:
    return f'callsite("/home/u/kws.mlir":{line}:10 at "/home/u/kws.mlir":2:3)'


TIMELINE = (
    f"DI0,0,4000,loc({place(12)}),DMA_IN,32000\n"
    f"DI1,4000,8000,loc({place(13)}),DMA_IN,32000\n"
    f"DO2,18000,20000,loc(fused[{place(13)}, {place(14)}]),DMA_OUT,9000\n"
    f"S0_0,4000,12000,loc({place(12)}),conv2d\n"
    f"S1_1,12000,18000,loc({place(13)}),fully_connected\n"
)
"""Of 20,000 cycles: both 4,000, compute alone 10,000, transfers alone 6,000, idle none."""
NEWER = "taskId, elapsed_time(us), timestamp(us), event, location, bytes\n" + (
    f"0,4000,0,DMA In,loc({place(12)}),32000\n"
    f"1,4000,4000,DMA In,loc({place(13)}),32000\n"
    f"2,2000,18000,DMA Out,loc(fused[{place(13)}, {place(14)}]),9000\n"
    f"1,8000,4000,Slice 0,loc({place(12)}),\n"
    f"3,6000,12000,Slice 1,loc({place(13)}),\n"
)
_QUOTED = [f'"loc({place(line)})"'.replace('"', '""')[1:-1] for line in (12, 13)]
RUNTIME = (
    f"ID,time_since_open,time_since_start,Location\n0,20.0,20.0,{_QUOTED[0]}\n1,35.0,15.0,{_QUOTED[1]}\n"
)
EVENTS = (
    "dispatch_name,invocation_id,action_id,timestamp_us,event\n"
    "main$async_dispatch_0,0,0,10,NSS_START_BEGIN\nmain$async_dispatch_0,0,0,12,NSS_START_END\n"
    "main$async_dispatch_0,0,1,12,NSS_WAIT_BEGIN\nmain$async_dispatch_0,0,1,52,NSS_WAIT_END\n"
    "main$async_dispatch_0,0,2,52,HOST_COPY_BEGIN\nmain$async_dispatch_0,0,2,92,HOST_COPY_END\n"
)
ACTIONS = (
    'actionIndex,event,timestamp(us),location\n7,NSS_START,100,"x"\n7,NSS_END,140,"x"\n8,HOST_START,140,"y"\n'
)
_COLUMNS = (
    "nss_program_index", "operation", "slice_id", "invocation_name", "nss_program_timestamp_start",
    "nss_program_timestamp_end", "nss_program_timestamp_total", "slice_used_0_in_program",
    "slice_used_1_in_program", "dma_in_used_in_program", "dma_out_used_in_program",
)  # fmt: skip
TITLES = (
    "NSS Program Index", "torq-hw Operation in program", "Slice ID (if applicable)",
    "Invocation Name (if applicable)", "NSS Program Start Timestamp [us]", "NSS Program End Timestamp [us]",
    "NSS Program Total Time [us]", "Slice 0 Used in NSS Program", "Slice 1 Used in NSS Program",
    "DMA In Used in NSS Program", "DMA Out Used in NSS Program",
)  # fmt: skip
ROWS: tuple[tuple[object, ...], ...] = (
    (0, "torq_hw.dma_in_cfg", "", "", 0.0, 10.0, 10.0, False, False, True, False),
    (0, "torq_hw.dma_in_start", "", "", 0.0, 10.0, 10.0, False, False, True, False),
    (1, "torq_hw.dma_in_wait", "", "", 10.0, 40.0, 30.0, True, False, True, False),
    (1, "torq_hw.slice_start", 0, "conv2d", 10.0, 40.0, 30.0, True, False, True, False),
    (2, "torq_hw.slice_start", 1, "fully_connected", 40.0, 60.0, 20.0, False, True, False, False),
    (3, "torq_hw.dma_out_start", "", "", 60.0, 80.0, 20.0, False, False, False, True),
)
ANNOTATED = "".join(";".join(map(str, row)) + "\n" for row in (_COLUMNS, *ROWS))


def workbook(rows: Sequence[Sequence[object]] = (TITLES, *ROWS)) -> bytes:
    """As XlsxWriter writes it: text shared, numbers and truth values in place."""
    shared: dict[str, int] = {}
    lines = []
    for at, row in enumerate(rows, 1):
        cells = ""
        for column, value in enumerate(row):
            reference = f"{chr(65 + column)}{at}"
            if isinstance(value, bool):
                cells += f'<c r="{reference}" t="b"><v>{int(value)}</v></c>'
            elif isinstance(value, str) and value:
                cells += f'<c r="{reference}" t="s"><v>{shared.setdefault(value, len(shared))}</v></c>'
            elif not isinstance(value, str):
                cells += f'<c r="{reference}"><v>{value}</v></c>'
        lines.append(f'<row r="{at}">{cells}</row>')
    space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    strings = "".join(f"<si><t>{escape(text)}</t></si>" for text in shared)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as book:
        sheet = f"<worksheet {space}><sheetData>{''.join(lines)}</sheetData></worksheet>"
        book.writestr("xl/worksheets/sheet1.xml", sheet)
        book.writestr("xl/sharedStrings.xml", f"<sst {space}>{strings}</sst>")
    return made.getvalue()
