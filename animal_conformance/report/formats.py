"""The renderers of all reports, imported together and late."""

from animal_conformance.record.har import write_har
from animal_conformance.report.badge import badge_svg
from animal_conformance.report.ctrf import ctrf_report
from animal_conformance.report.html import html_page
from animal_conformance.report.junit import junit_xml
from animal_conformance.report.summary import summary

__all__ = ["badge_svg", "ctrf_report", "html_page", "junit_xml", "summary", "write_har"]
