"""JUnit XML: what Jenkins, GitLab and the like show of a test run.

A submission is a testsuite, its groups of cases are testcases.  `failure` for what the submission
did (WA, TLE, MLE), `error` for CE, RE and JE.  Shape: the junit-10 schema of the Jenkins xUnit
plug-in.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree

from judge.grade.model import Graded, GradedTest, Grading

_FAILURES = ("WA", "TLE", "MLE")
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
MOST_TEXT = 20_000


def legal(text: str, most: int = MOST_TEXT) -> str:
    """Text as XML 1.0 may hold it: what it may not hold is shown as its escape."""
    shown = _ILLEGAL.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), text)
    return shown if len(shown) <= most else f"{shown[:most]} ..."


def render(grading: Grading) -> bytes:
    """The whole grading as one document, UTF-8."""
    suites = [_suite(grading, one) for one in grading.results]
    top = ElementTree.Element("testsuites", {"name": legal(f"judge: {grading.problem}")})
    for key in ("tests", "failures", "errors"):
        top.set(key, str(sum(int(suite.get(key, "0")) for suite in suites)))
    top.set("time", f"{grading.seconds:.3f}")
    top.extend(suites)
    ElementTree.indent(top)
    # ElementTree escapes `]]>` by writing `>` as an entity, and never writes CDATA.
    body = ElementTree.tostring(top, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'.encode()


def _suite(grading: Grading, graded: Graded) -> ElementTree.Element:
    cases = [_case(graded, test) for test in graded.tests]
    suite = ElementTree.Element(
        "testsuite",
        {
            "name": legal(graded.name),
            "tests": str(len(cases)),
            "failures": str(sum(case.find("failure") is not None for case in cases)),
            "errors": str(sum(case.find("error") is not None for case in cases)),
            "skipped": "0",
            "time": f"{graded.seconds:.3f}",
            "timestamp": grading.started[:19],
            "hostname": legal(grading.device or "unknown"),
        },
    )
    properties = ElementTree.SubElement(suite, "properties")
    for name, value in _properties(graded):
        ElementTree.SubElement(properties, "property", {"name": name, "value": legal(value)})
    suite.extend(cases)
    ElementTree.SubElement(suite, "system-out").text = legal(graded.screen)
    ElementTree.SubElement(suite, "system-err").text = ""
    return suite


def _properties(graded: Graded) -> list[tuple[str, str]]:
    found = [("score", f"{graded.score:g}"), ("max_score", f"{graded.max_score:g}")]
    found += [("verdict", graded.verdict), ("submission", graded.submission)]
    for timed in (graded.report.get("speed") or {}).get("timed", ()):
        sizes = " x ".join(map(str, timed["sizes"].values()))
        found.append((f"median_us at {sizes}", f"{timed['cold']['median_us']:.6g}"))
    return found


def _case(graded: Graded, test: GradedTest) -> ElementTree.Element:
    case = ElementTree.Element(
        "testcase",
        {
            "classname": legal(graded.name),
            "name": legal(test.name),
            "time": f"{test.seconds:.6f}",
        },
    )
    if test.file:
        case.set("file", legal(test.file))
        case.set("line", str(test.line))
    if test.verdict != "AC":
        kind = "failure" if test.verdict in _FAILURES else "error"
        first = test.message.split("\n", 1)[0]
        attributes = {"message": legal(first, 500), "type": f"{test.verdict} {test.reason}"}
        ElementTree.SubElement(case, kind, attributes).text = legal(test.message)
    return case
