import type { EnvironmentKind } from "./environment-need.js";
import { rubyCommands } from "./ruby-commands.js";

/** Where the preparation of an environment works, relative to the workspace's root. */
export const PREPARATION = {
  /** Files of the need and of the installer's settings; current directory of the commands. */
  files: "work/preparation",
  /** Becomes the environment. */
  tree: "work/preparation/tree",
  /** For temporary files of the commands. */
  temporary: "work/preparation/temporary",
} as const;

export interface EnvironmentCommands {
  /** Fetches and unpacks. Runs no code of a package, because it may have the network. */
  readonly install: string;
  /** Completes the tree without the network. */
  readonly finish: string;
}

/** The shell texts that prepare an environment in `work/preparation`. */
export function environmentCommands(
  kind: EnvironmentKind,
  { offline }: { offline: boolean },
): EnvironmentCommands {
  if (kind === "ruby") return rubyCommands(PREPARATION.files);
  return kind === "python" ? pythonCommands(offline) : NODE_COMMANDS;
}

/**
 * The interpreter starts without the packages, so that none of them runs code here. Only wheels, since building from
 * source runs code of the package. The interpreter is copied: no link leads out of the tree.
 */
function pythonCommands(offline: boolean): EnvironmentCommands {
  const index = offline ? "--no-index" : "";
  return {
    install: `set -e
cd ${PREPARATION.files}
fail() { echo "$1" >&2; exit 1; }
command -v python3 > /dev/null || fail "There is no python3 where commands run. Install it."
[ ! -f requires-python ] || python3 -I -c '${PYTHON_FITS}' ||
  fail "The lockfile is for Python $(cat requires-python), and $(python3 --version) is here. Install such a Python, or lock for this one."
python3 -m venv --without-pip --copies tree
site=$(echo tree/lib/python3*/site-packages)
mkdir -p wheels
if uv --version > /dev/null 2>&1; then
  uv pip install --quiet --no-progress --no-config --no-cache --link-mode copy --python python3 --no-python-downloads \
    --no-build --require-hashes --find-links wheels ${index} --target "$site" --requirement requirements.txt
  exit
fi
pip=python3
if ! python3 -m pip --version > /dev/null 2>&1; then
  python3 -m venv installer > /dev/null 2>&1 || fail "There is neither uv nor pip where commands run. Install uv, python3-pip or python3-venv."
  pip=installer/bin/python
fi
"$pip" -m pip install --quiet --no-input --no-compile --no-warn-script-location --only-binary :all: --require-hashes \
  --find-links wheels ${index} --target "$site" --requirement requirements.txt`,
    finish: `set -e
cd ${PREPARATION.files}/tree
site=$(echo lib/python3*/site-packages)
rm -f bin/activate* bin/Activate* bin/python3* "$site/.lock"
printf '#!/bin/sh\\nexec "\${0%%/*}/python" "$@"\\n' > bin/python3
chmod 755 bin/python3
if [ -d "$site/bin" ]; then
  for script in "$site"/bin/*; do
    [ -f "$script" ] || continue
    if head -c 2 "$script" | grep -q '#!'; then sed -i '1s|^#!.*python.*$|#!/usr/bin/env python3|' "$script"; fi
    mv "$script" bin/
  done
  rm -rf "$site/bin"
fi
bin/python -I -S -m compileall -q --invalidation-mode unchecked-hash "$site" || true`,
  };
}

/** Whether the interpreter meets each specifier in `requires-python`. In single quotes of the shell. */
const PYTHON_FITS = `
import re, sys
own = sys.version_info[:3]
def fits(sign, text, star):
    parts = tuple(map(int, text.split(".")))
    whole = (parts + (0, 0))[:max(3, len(parts))]
    same = own[:len(parts)] == parts if star else own == whole
    return {"==": same, "!=": not same, ">=": own >= whole, "<=": own <= whole, ">": own > whole, "<": own < whole,
            "~=": own >= whole and own[:len(parts) - 1] == parts[:-1]}[sign]
found = re.findall(r"(==|!=|>=|<=|~=|>|<)\\s*([0-9]+(?:[.][0-9]+)*)([.][*])?", open("requires-python").read())
sys.exit(not all(fits(*one) for one in found))`;

/** A link of `.bin` becomes a script, since an environment holds regular files only. */
const NODE_COMMANDS: EnvironmentCommands = {
  install: `set -e
cd ${PREPARATION.files}
command -v npm > /dev/null || { echo "There is no npm where commands run. Install it." >&2; exit 1; }
npm ci --ignore-scripts --omit=dev --no-audit --no-fund --no-update-notifier --loglevel=error --cache "$PWD/npm-cache" >&2
mkdir -p node_modules
mv node_modules tree`,
  finish: `set -e
cd ${PREPARATION.files}/tree
rm -f .package-lock.json
if [ -d .bin ]; then
  for link in .bin/*; do
    [ -L "$link" ] || continue
    target=$(readlink "$link")
    chmod +x ".bin/$target"
    rm "$link"
    printf '#!/bin/sh\\nexec "\${0%%/*}/%s" "$@"\\n' "$target" > "$link"
    chmod 755 "$link"
  done
fi
find . -type l -delete`,
};
