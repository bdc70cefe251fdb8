#!/usr/bin/env python3
"""Fit a straight line to pairs of numbers by least squares: y = slope * x + intercept."""

import argparse
import json
import math
import sys

sys.dont_write_bytecode = True  # the skill's folder may be read-only

from input_error import InputError, run, write_text  # noqa: E402
from number_file import read_rows  # noqa: E402


def main():
    options = _options()
    rows, _ = read_rows(options.file)
    pairs = _pairs(options.file, rows)
    result = fit(pairs)
    for name, value in result.items():
        print(f"{name}: {value:.10g}")
    for x in options.predict:
        print(f"y at {x:.10g}: {result['slope'] * x + result['intercept']:.10g}")
    if options.out is not None:
        write_text(options.out, json.dumps(result, indent=2) + "\n")


def fit(pairs):
    """Slope, intercept, coefficient of determination and the standard deviation of what is left."""
    count = len(pairs)
    mean_x = math.fsum(x for x, _ in pairs) / count
    mean_y = math.fsum(y for _, y in pairs) / count
    spread_x = math.fsum((x - mean_x) ** 2 for x, _ in pairs)
    if spread_x == 0:
        raise InputError("All x are the same, so no line can be fitted. Give pairs with different x.")
    slope = math.fsum((x - mean_x) * (y - mean_y) for x, y in pairs) / spread_x
    intercept = mean_y - slope * mean_x
    left = math.fsum((y - slope * x - intercept) ** 2 for x, y in pairs)
    spread_y = math.fsum((y - mean_y) ** 2 for _, y in pairs)
    return {
        "pairs": count,
        "slope": slope,
        "intercept": intercept,
        "r squared": 1 - left / spread_y if spread_y > 0 else 1.0,
        "residual deviation": math.sqrt(left / (count - 2)) if count > 2 else 0.0,
    }


def _pairs(path, rows):
    """Rows of two as they are; a single number a row is y, with x counted from 1."""
    if len(rows) < 2:
        raise InputError(f"{path} has fewer than two rows of numbers. Give one pair 'x y' a line.")
    widths = {len(row) for row in rows}
    if widths == {2}:
        return [(x, y) for x, y in rows]
    if widths == {1}:
        return [(float(at), y) for at, (y,) in enumerate(rows, start=1)]
    raise InputError(f"{path} has rows of {sorted(widths)} numbers. Give two on every line (x y), or one on every line (y).")


def _options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", help="one pair 'x y' a line, or one y a line; # starts a comment")
    parser.add_argument("--predict", metavar="X", type=float, nargs="+", default=[], help="also give y at these x")
    parser.add_argument("--out", metavar="PATH", help="write the result there as JSON")
    return parser.parse_args()


if __name__ == "__main__":
    run(main)
