"""Reading of number files: numbers separated by spaces, commas, semicolons or lines; # starts a comment."""

import math
import re

from input_error import InputError

SEPARATORS = re.compile(r"[\s,;]+")


def read_rows(path, skip_bad=False):
    """The numbers of each line that has any, and the words that are none as (line, word).

    Raises InputError for a file that cannot be read and, unless skip_bad, for the first word that is no number.
    """
    rows, bad = [], []
    for number, line in enumerate(_lines(path), start=1):
        row = []
        for word in filter(None, SEPARATORS.split(line.split("#", 1)[0])):
            value = _number(word)
            if value is not None:
                row.append(value)
            elif skip_bad:
                bad.append((number, word))
            else:
                raise InputError(
                    f"{path}, line {number}: {word[:40]!r} is not a number. Correct it, or leave such words out with --skip-bad."
                )
        if row:
            rows.append(row)
    return rows, bad


def _lines(path):
    try:
        with open(path, encoding="utf-8-sig") as file:
            yield from file
    except FileNotFoundError:
        raise InputError(f"There is no file {path}. Uploaded files are in inputs/; list them with: ls inputs") from None
    except UnicodeDecodeError:
        raise InputError(f"{path} is not a text file in UTF-8. Save it as plain text.") from None
    except OSError as error:
        raise InputError(f"Cannot read {path} ({error.strerror}). Give a text file of numbers.") from error


def _number(word):
    """A finite number, else None; 1_000 and nan are none."""
    if "_" in word:
        return None
    try:
        value = float(word)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
