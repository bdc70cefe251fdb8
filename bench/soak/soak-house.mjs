import { mkdirSync } from "node:fs";
import { openHouse } from "../workspace/house.mjs";
import { writeSkill } from "../workspace/write-skill.mjs";

/** Lists every upload with its hash. */
const report =
  'cd inputs 2>/dev/null || exit 0\nfor file in *; do [ -f "$file" ] && sha256sum -- "$file"; done\nexit 0\n';

/** The state that all processes of a soak share, below one directory. */
export function openSoakHouse(directory, options = {}) {
  return openHouse(`${directory}/house`, { isolation: "sandbox", registry: true, ...options });
}

/** The skill, and the directory of the ledgers. */
export function prepareSoak(directory) {
  mkdirSync(`${directory}/ledgers`, { recursive: true });
  writeSkill(`${directory}/house`, "report", { "scripts/report.sh": report });
}

export const SESSIONS = 12;

/** The owner of workspace and artifacts. */
export function sessionOf(index) {
  return { app: "soak", user: "soak", session: `session-${index}` };
}
