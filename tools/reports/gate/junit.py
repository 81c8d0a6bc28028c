"""JUnit's XML: one test case a check."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from ...constraint_checker.constraint_report import Check, ConstraintReport
from ...core.document import place
from ...core.render.cells import words
from ...verdicts.verdict import Verdict


def junit_xml(report: ConstraintReport, model: str) -> str:
    """A test suite of the model on the deployment.

    FAIL is a failure, UNKNOWN an error, both of hard limits; MARGINAL passes with its statement as output.
    """
    hard = [check for check in report.checks if not check.soft]
    suite = ET.Element(
        "testsuite",
        name=f"{model} on {words(place(report.deployment), report)}",
        tests=str(len(report.checks)),
        failures=str(sum(check.verdict is Verdict.FAIL for check in hard)),
        errors=str(sum(check.verdict is Verdict.UNKNOWN for check in hard)),
    )
    for check in report.checks:
        _case(suite, check, model)
    root = ET.Element("testsuites")
    root.append(suite)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _case(suite: ET.Element, check: Check, model: str) -> None:
    case = ET.SubElement(suite, "testcase", classname=f"edgewright.{model}", name=check.name)
    notes = [check.statement, *(f"{lever.change}: {lever.after:g} {lever.unit}" for lever in check.levers)]
    match check.verdict:
        case Verdict.FAIL if not check.soft:
            ET.SubElement(case, "failure", message=check.statement).text = "\n".join(notes)
        case Verdict.UNKNOWN if not check.soft:
            ET.SubElement(case, "error", message=check.statement).text = "\n".join(notes)
        case _:
            ET.SubElement(case, "system-out").text = f"{check.verdict}: {check.statement}"
