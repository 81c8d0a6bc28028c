from .outputs import renewed, same

ROWS = [
    "Rows",
    "| 3 | CONV_2D | 1.2 ms |",
    "| 4 | CONV_2D | 2.5 ms |",
    "| 5 | ADD | 0.1 ms |",
    "Total 3.8 ms",
]


def test_an_output_is_the_same_whatever_is_left_out() -> None:
    assert same(ROWS, ROWS)
    assert same(["Rows", "[…]", "| 5 | ADD | 0.1 ms |", "[…]"], ROWS)
    assert same(["…", "Total … ms"], ROWS)


def test_an_output_is_another_one_if_a_figure_or_a_line_differs() -> None:
    assert not same(["Rows", "[…]", "Total 3.9 ms"], ROWS)
    assert not same(["Rows", "Total 3.8 ms"], ROWS)
    assert not same(ROWS[:-1], ROWS)


def test_what_is_renewed_keeps_the_part_that_was_shown() -> None:
    shown = ["Rows", "[…]", "| 4 | CONV_2D | 9.9 ms |", "[…]", "Total 9 ms"]
    assert renewed(shown, ROWS) == ["Rows", "[…]", "| 4 | CONV_2D | 2.5 ms |", "[…]", "Total 3.8 ms"]


def test_what_is_renewed_to_the_end_takes_lines_that_came_since() -> None:
    assert renewed(["[…]", "| 5 | ADD | 7 ms |"], ROWS) == ["[…]", "| 5 | ADD | 0.1 ms |", "Total 3.8 ms"]


def test_text_that_is_left_out_within_a_line_stays_so() -> None:
    assert renewed(["Rows", "[…]", "Total … ms"], ROWS) == ["Rows", "[…]", "Total … ms"]


def test_what_is_renewed_finds_a_line_that_got_another_column() -> None:
    assert renewed(["[…]", "| 5 | ADD |", "[…]"], ROWS) == ["[…]", "| 5 | ADD | 0.1 ms |", "[…]"]
