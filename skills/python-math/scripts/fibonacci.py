#!/usr/bin/env python3
"""Give the n-th Fibonacci number exactly (F(0) = 0, F(1) = 1), or the first n of them."""

import argparse
import sys

sys.dont_write_bytecode = True  # the skill's folder may be read-only

from input_error import InputError, run, write_text  # noqa: E402

LARGEST = 1_000_000
LONGEST_LIST = 10_000


def main():
    options = _options()
    largest = LONGEST_LIST if options.list else LARGEST
    if not 0 <= options.n <= largest:
        raise InputError(f"{options.n} is out of range. Give a number from 0 to {largest}.")
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)
    text = "".join(f"{value}\n" for value in first(options.n)) if options.list else f"{fibonacci(options.n)[0]}\n"
    write_text(options.out, text)


def fibonacci(n):
    """F(n) and F(n + 1), by doubling: about log2(n) steps."""
    if n == 0:
        return 0, 1
    low, high = fibonacci(n // 2)
    even = low * (2 * high - low)
    odd = low * low + high * high
    return (even, odd) if n % 2 == 0 else (odd, even + odd)


def first(count):
    value, following = 0, 1
    for _ in range(count):
        yield value
        value, following = following, value + following


def _options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("n", type=int, help=f"which one, up to {LARGEST}")
    parser.add_argument("--list", action="store_true", help="the first n numbers, one a line, instead of the n-th")
    parser.add_argument("--out", metavar="PATH", help="write the result there, not to standard output")
    return parser.parse_args()


if __name__ == "__main__":
    run(main)
