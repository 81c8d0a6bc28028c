"""`make bench` takes minutes and is not part of the tests; that it would start is."""

from . import bench


def test_what_the_bench_measures_is_there() -> None:
    assert callable(bench.main)
