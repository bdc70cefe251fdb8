import { INCOMING, META, ROOT } from "../container/workspace-container.js";
import { REVISION_FILE } from "./record-format.js";

/** All scripts run as root and stop at the first step that fails. They call `changed` after every change. */
const START = `
set -e
umask 077
skills=${ROOT}/skills
meta=${META}
incoming=${INCOMING}
changed() {
  : >"$meta/.$1"
  mv -f "$meta/.$1" "$meta/${REVISION_FILE}"
}
`;

/**
 * Moves the skill from an incoming directory into place. Its record is removed first and written last, so that it never
 * names something else than what is there.
 */
export const REPLACE_SKILL = `${START}
nonce=$1 name=$2 record=$3
rm -f "$meta/$record"
changed "$nonce"
if [ -e "$skills/$name" ]; then mv "$skills/$name" "$incoming/$nonce/old"; fi
mv "$incoming/$nonce/new" "$skills/$name"
mkdir -p "$meta/\${record%/*}"
mv "$incoming/$nonce/record" "$meta/$record"
changed "$nonce"
rm -rf "$incoming/$nonce"
`;

export const REMOVE_SKILL = `${START}
nonce=$1 name=$2 record=$3
rm -f "$meta/$record"
changed "$nonce"
if [ -e "$skills/$name" ]; then
  mkdir "$incoming/$nonce"
  mv "$skills/$name" "$incoming/$nonce/old"
  rm -rf "$incoming/$nonce"
fi
`;

/** Runs as the run's user; what it may not remove is left to the script that removes the directory. */
export const EMPTY_SKILL = `
cd -P "${ROOT}/skills/$1" 2>/dev/null || exit 0
find . -type d ! -perm -700 -exec chmod u+rwx {} \\; 2>/dev/null
find . -mindepth 1 -maxdepth 1 -exec rm -rf {} + 2>/dev/null
exit 0
`;

/** The text is passed in pieces that are short enough for arguments. */
export const KEEP_NOTE = `${START}
nonce=$1 record=$2
shift 2
mkdir -p "$meta/\${record%/*}"
printf %s "$@" >"$meta/.$nonce"
mv -f "$meta/.$nonce" "$meta/$record"
changed "$nonce"
`;

/** Of a skill or a note. */
export const DROP_RECORD = `${START}
rm -f "$meta/$2"
changed "$1"
`;

export const DROP_INCOMING = `${START}
rm -rf "$incoming/$1"
`;
