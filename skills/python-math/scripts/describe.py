#!/usr/bin/env python3
"""Describe the numbers in a text file: count, sum, mean, median, spread, quartiles, outliers, a histogram."""

import argparse
import json
import math
import statistics
import sys

sys.dont_write_bytecode = True  # the skill's folder may be read-only

from input_error import InputError, run, write_text  # noqa: E402
from number_file import read_rows  # noqa: E402


def main():
    options = _options()
    rows, bad = read_rows(options.file, options.skip_bad)
    numbers = [value for row in rows for value in row]
    if not numbers:
        raise InputError(f"{options.file} has no numbers. Give a text file with at least one.")
    result = describe(numbers)
    for name, value in result.items():
        print(f"{name}: {_shown(value)}")
    if bad:
        print(f"note: {len(bad)} words are not numbers and were left out, the first on line {bad[0][0]}: {bad[0][1][:40]!r}")
    if options.out is not None:
        as_json = options.out.endswith(".json")
        text = json.dumps(result, indent=2) + "\n" if as_json else _markdown(options.file, numbers, result, bad)
        write_text(options.out, text)


def describe(numbers):
    """The usual measures; those that need two numbers are None for one. Quartiles include the ends."""
    several = len(numbers) > 1
    first, middle, third = statistics.quantiles(numbers, n=4, method="inclusive") if several else numbers * 3
    reach = 1.5 * (third - first)
    outliers = sorted(value for value in numbers if value < first - reach or value > third + reach)
    return {
        "count": len(numbers),
        "sum": math.fsum(numbers),
        "mean": math.fsum(numbers) / len(numbers),
        "median": middle,
        "minimum": min(numbers),
        "maximum": max(numbers),
        "first quartile": first,
        "third quartile": third,
        "standard deviation (sample)": statistics.stdev(numbers) if several else None,
        "variance (sample)": statistics.variance(numbers) if several else None,
        "outliers (beyond 1.5 quartile ranges)": outliers[:20],
    }


def _markdown(path, numbers, result, bad):
    lines = [f"# Statistics of {path.rsplit('/', 1)[-1]}", "", "| measure | value |", "| --- | ---: |"]
    lines += [f"| {name} | {_shown(value)} |" for name, value in result.items()]
    lines += ["", "## Distribution", "", "```", *_histogram(numbers), "```"]
    if bad:
        lines += ["", f"{len(bad)} words are not numbers and were left out."]
    return "\n".join(lines) + "\n"


def _histogram(numbers):
    """As many classes as the square root of the count, between 5 and 20, each a bar of at most 40 marks."""
    low, high = min(numbers), max(numbers)
    if low == high:
        return [f"{_shown(low)}  {len(numbers)}"]
    classes = min(20, max(5, round(math.sqrt(len(numbers)))))
    width = high / classes - low / classes
    counts = [0] * classes
    for value in numbers:
        counts[min(classes - 1, int((value - low) / width))] += 1
    starts = [f"{low + at * width:.6g}" for at in range(classes)]
    room = max(map(len, starts))
    return [
        f"{start:>{room}}  {'#' * round(40 * count / max(counts)):<40}  {count}".rstrip()
        for start, count in zip(starts, counts)
    ]


def _shown(value):
    if value is None:
        return "needs two numbers"
    if isinstance(value, list):
        return ", ".join(map(_shown, value)) or "none"
    return f"{value:.10g}"


def _options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", help="numbers separated by spaces, commas, semicolons or lines; # starts a comment")
    parser.add_argument("--out", metavar="PATH", help="write the result there: Markdown, or JSON for a path in .json")
    parser.add_argument("--skip-bad", action="store_true", help="leave out words that are not numbers")
    return parser.parse_args()


if __name__ == "__main__":
    run(main)
