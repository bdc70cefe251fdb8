import { existsSync, readFileSync } from "node:fs";
import { fetchNode, nodeProgram, versionInPlaceOfOlder } from "./fetch-node.mjs";

const { engines } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

/**
 * The versions of Node that the repository needs, of the form `>=22.13`.
 *
 * @type {string}
 */
export const neededNode = engines.node;

/** Whether a version of Node is older than a range of the form `>=22.13`. */
export function isOlder(version, range) {
  const wanted = numbers(range.replace(/^>=\s*/, ""));
  const given = numbers(version);
  const different = [0, 1, 2].find((index) => (given[index] ?? 0) !== (wanted[index] ?? 0));
  return different !== undefined && (given[different] ?? 0) < (wanted[different] ?? 0);
}

/**
 * Returns the path of a Node in the range, for a machine whose own Node is too old, and prints in one line which version it
 * is. Throws an error with a remedy if no such Node can be fetched.
 *
 * @param {string} range of the form `>=22.13`
 * @param {{ own?: string, cache?: string, env?: NodeJS.ProcessEnv, tell: (line: string) => void }} options `own` is the machine's version
 */
export async function modernNode(range, { own = process.versions.node, tell, ...fetching }) {
  const needed = `Node ${own} is older than ${range.replace(/^>=\s*/, "")}`;
  const version = versionInPlaceOfOlder();
  if (!version || isOlder(version, range))
    throw new Error(`${needed}, and npm has no newer one for this machine.\n${remedy}`);
  const exists = existsSync(nodeProgram(version, fetching.cache));
  tell(`${needed}: using Node ${version} from .cache/node${exists ? "" : ", fetched from npm this once"}.`);
  try {
    return await fetchNode(version, fetching);
  } catch (/** @type {any} */ error) {
    throw new Error(
      `Node ${version} could not be fetched from npm: ${error.message}\n${remedy} Or check that npm reaches its registry (npm ping).`,
    );
  }
}

const remedy =
  "What to do: install a current Node (with your system's package manager or a version manager) and run the command again.";

function numbers(version) {
  return version.split(".").map(Number);
}
