"""Counters as perf and firmware print them."""

OF_THE_MANUAL = """\
 Performance counter stats for 'make -j':

    8117.370256  task clock ticks     #      11.281 CPU utilization factor
            678  context switches     #       0.000 M/sec
            133  CPU migrations       #       0.000 M/sec
         235724  pagefaults           #       0.029 M/sec
    24821162526  CPU cycles           #    3057.784 M/sec
    18687303457  instructions         #    2302.138 M/sec
      172158895  cache references     #      21.209 M/sec
       27075259  cache misses         #       3.335 M/sec

 Wall-clock time elapsed:   719.554352 msecs
"""
"""github.com/torvalds/linux tools/perf/Documentation/perf-stat.txt, commit 020abf0: EXAMPLES."""


FRENCH = """\
 Performance counter stats for './cfg small.cfg 1000':

        77 375 671 cycles                  #    2,914 GHz
     <not supported> stalled-cycles-backend
       121 540 390 instructions            #    1,57  insns per cycle
        30 904 551 branches                # 1163,817 M/sec
           356 636 branch-misses           #    1,15% of all branches

       0,026554473 seconds time elapsed
"""


JSON = (
    '{"counter-value" : "77375671.000000", "unit" : "", "event" : "cycles", "event-runtime" : 5, "pcnt-running" : 62.5}\n'
    '{"counter-value" : "121540390.000000", "unit" : "", "event" : "instructions", "event-runtime" : 5, "pcnt-running" : 100.00}\n'
)


CSV = "77375671,,cycles,26554473,100.00,2.914,GHz\n121540390,,instructions:u,26554473,100.00,1.57,insn per cycle\n"


UART = "".join(f"{i},{1_000_000 + i},4000,90000,{(1e6 + i) / 216e3:.2f},0.25\n" for i in range(20))


PMU = (
    "layer,cycles,instructions,L1D_CACHE_REFILL,L1D_CACHE,BR_MIS_PRED\r\n"
    "conv0,100000,60000,3000,20000,100\r\nfc,50000,9000,4000,9000,10\r\n"
)
