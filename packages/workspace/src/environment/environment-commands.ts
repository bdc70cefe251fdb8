import type { EnvironmentKind } from "./environment-need.js";

/** Where the preparation of an environment works, relative to the workspace's root. */
export const PREPARATION = {
  /** Files of the need and of the installer's settings; current directory of the commands. */
  files: "work/preparation",
  /** Becomes the environment. */
  tree: "work/preparation/tree",
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
python3 -m venv --without-pip --copies tree
pip=python3
if ! python3 -m pip --version > /dev/null 2>&1; then
  python3 -m venv installer > /dev/null 2>&1 || fail "There is no pip where commands run. Install python3-pip or python3-venv."
  pip=installer/bin/python
fi
site=$(echo tree/lib/python3*/site-packages)
mkdir -p wheels
"$pip" -m pip install --quiet --no-input --no-compile --no-warn-script-location --only-binary :all: --require-hashes \
  --find-links wheels ${index} --target "$site" --requirement requirements.txt`,
    finish: `set -e
cd ${PREPARATION.files}/tree
site=$(echo lib/python3*/site-packages)
rm -f bin/activate* bin/Activate* bin/python3*
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
