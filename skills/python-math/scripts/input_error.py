"""How the scripts of this skill end: a wrong file or number is one line on standard error and exit code 2."""

import os
import sys


class InputError(Exception):
    """What is wrong with the user's file or command, with what to do about it."""


def run(main):
    """Call main() and turn an InputError into a message and exit code 2."""
    try:
        main()
    except InputError as error:
        print(error, file=sys.stderr)
        sys.exit(2)


def write_text(path, text):
    """Write a result, making its folder; without a path it goes to standard output."""
    if path is None:
        sys.stdout.write(text)
        return
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise InputError(f"Cannot write {path} ({error.strerror}). Give a path below out/.") from error
    print(f"wrote {path}")
