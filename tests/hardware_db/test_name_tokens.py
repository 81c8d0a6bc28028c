import pytest

from edgewright.hardware_db.name_tokens import TokenNames


@pytest.mark.parametrize("odd", ["odd\nboard", "\n", "İ" * 9, "tab\tboard\r\n", ""])
def test_the_names_after_an_odd_one_keep_their_places(odd: str) -> None:
    names = TokenNames({odd: "odd", "Portenta H7": "portenta-h7", "4060 Ti 16GB": "rtx-4060-ti"})
    assert names.meaning(["portenta"]).ids == ("portenta-h7",)
    assert names.meaning(["ti", "4060"]).ids == ("rtx-4060-ti",)
