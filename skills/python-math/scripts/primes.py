#!/usr/bin/env python3
"""Factorise whole numbers of any size, or list the primes up to a limit."""

import argparse
import math
import random
import sys
import time

sys.dont_write_bytecode = True  # the skill's folder may be read-only

from input_error import InputError, run, write_text  # noqa: E402

LIST_LIMIT = 50_000_000
WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
# The witnesses decide exactly below this; above it a composite passes all of them only by construction.
EXACT_BELOW = 318_665_857_834_031_151_167_461


def main():
    options = _options()
    if options.up_to is not None:
        found = primes_up_to(options.up_to)
        lines = [f"{len(found)} primes up to {options.up_to}", *map(str, found)]
    elif options.numbers:
        lines = [_line(number, options.seconds) for number in options.numbers]
    else:
        raise InputError("Give numbers to factorise, or --up-to LIMIT. See --help.")
    if options.out is not None:
        print(lines[0])
    write_text(options.out, "\n".join(lines) + "\n")


def _line(number, seconds):
    if number < 1:
        raise InputError(f"{number} has no prime factors. Give whole numbers from 1.")
    primes, rest = factorise(number, time.monotonic() + seconds)
    powers = [f"{prime}^{primes.count(prime)}" if primes.count(prime) > 1 else str(prime) for prime in sorted(set(primes))]
    parts = powers + [f"({part}: composite, not split within {seconds:g} s)" for part in rest]
    probably = " (probable prime)" if primes == [number] and number >= EXACT_BELOW else ""
    return f"{number} = {' * '.join(parts) or '1'}{' (prime)' if primes == [number] and not probably else probably}"


def factorise(number, deadline):
    """The prime factors, and the composite parts that were not split by then."""
    primes, rest, waiting = [], [], []
    for prime in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47):
        while number % prime == 0:
            primes.append(prime)
            number //= prime
    if number > 1:
        waiting.append(number)
    while waiting:
        part = waiting.pop()
        if is_prime(part):
            primes.append(part)
            continue
        divisor = _divisor(part, deadline)
        if divisor is None:
            rest.append(part)
        else:
            waiting += [divisor, part // divisor]
    return primes, rest


def is_prime(number):
    """Miller-Rabin with the first twelve primes."""
    if number < 2:
        return False
    for prime in WITNESSES:
        if number % prime == 0:
            return number == prime
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    return not any(_is_witness(base, number, odd, twos) for base in WITNESSES)


def _is_witness(base, number, odd, twos):
    power = pow(base, odd, number)
    if power in (1, number - 1):
        return False
    for _ in range(twos - 1):
        power = power * power % number
        if power == number - 1:
            return False
    return True


def _divisor(number, deadline):
    """A proper divisor of a composite by Pollard's rho, or None when the time is over."""
    root = math.isqrt(number)
    if root * root == number:
        return root
    source = random.Random(number)
    while time.monotonic() < deadline:
        slow = fast = source.randrange(2, number)
        step = source.randrange(1, number)
        divisor = 1
        while divisor == 1 and time.monotonic() < deadline:
            product = 1
            start = (slow, fast)
            for _ in range(256):
                slow = (slow * slow + step) % number
                fast = (fast * fast + step) % number
                fast = (fast * fast + step) % number
                product = product * (slow - fast) % number
            divisor = math.gcd(product, number)
            if divisor == number:
                divisor = _divisor_one_by_one(*start, step, number)
        if 1 < divisor < number:
            return divisor
    return None


def _divisor_one_by_one(slow, fast, step, number):
    """The same walk again without gathering products, where several divisors came at once."""
    while True:
        slow = (slow * slow + step) % number
        fast = (fast * fast + step) % number
        fast = (fast * fast + step) % number
        divisor = math.gcd(slow - fast, number)
        if divisor != 1:
            return divisor


def primes_up_to(limit):
    """All primes up to the limit, by a sieve."""
    if not 2 <= limit <= LIST_LIMIT:
        raise InputError(f"--up-to {limit} is out of range. Give a limit from 2 to {LIST_LIMIT}.")
    sieve = bytearray([1]) * (limit + 1)
    sieve[0:2] = b"\0\0"
    for number in range(2, math.isqrt(limit) + 1):
        if sieve[number]:
            sieve[number * number :: number] = bytes(len(range(number * number, limit + 1, number)))
    return [number for number in range(limit + 1) if sieve[number]]


def _options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("numbers", metavar="NUMBER", type=int, nargs="*", help="whole numbers to factorise")
    parser.add_argument("--up-to", metavar="LIMIT", type=int, help="list all primes up to this instead")
    parser.add_argument("--seconds", type=float, default=20, help="time for each number (default 20)")
    parser.add_argument("--out", metavar="PATH", help="write the result there, not to standard output")
    return parser.parse_args()


if __name__ == "__main__":
    run(main)
