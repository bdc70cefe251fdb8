import { createHash, randomBytes } from "node:crypto";
import { VOLUME } from "../container/workspace-container.js";

/** Accessible to root only: the records of all runs with a key. */
const KEYED = `${VOLUME}/keyed`;

/** The link that names the attempt whose command runs, or ran. The supervisor creates it. */
export const CLAIM = "run";

/** The directory of all attempts to start the run of a key. */
export function keyPlace(key: string): string {
  return `${KEYED}/${createHash("sha256").update(key).digest("hex")}`;
}

/** A directory for one more attempt. */
export function newAttempt(place: string): string {
  return `${place}/${randomBytes(9).toString("hex")}`;
}
