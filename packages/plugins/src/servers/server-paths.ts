import { resolve } from "node:path";
import { isWithin, packagePlace } from "../files/package-path.js";
import { DATA_PLACEHOLDER, expanded, ROOT_PLACEHOLDER } from "../launch/expand.js";

/** What is wrong with the command of a server, as the end of a sentence. */
export async function commandProblem(command: string, root: string): Promise<string | undefined> {
  if (command.includes("\0")) return "`command` has a NUL character";
  if (!command.startsWith("./"))
    return /^[^\s/\\]+$/.test(command) && !/^\.\.?$/.test(command)
      ? undefined
      : "`command` is neither the name of one program nor a path that begins with ./";
  const { kind } = await packagePlace(root, command);
  return kind === "outside" ? "`command` leads out of the plugin" : undefined;
}

const FORM = /^(?:\.\/|\$\{PLUGIN_ROOT\}(?:\/|$)|\$\{PLUGIN_DATA\}(?:\/|$))/;

/**
 * What is wrong with the working directory of a server, as the end of a sentence. One that depends on the place of the
 * data directory is checked again when the server is launched.
 */
export async function workingDirectoryProblem(cwd: string, root: string): Promise<string | undefined> {
  if (!FORM.test(cwd)) return `\`cwd\` does not begin with ./, ${ROOT_PLACEHOLDER} or ${DATA_PLACEHOLDER}`;
  if (cwd.includes("\0")) return "`cwd` has a NUL character";
  const [, rest] = /^\$\{PLUGIN_DATA\}([^$]*)$/.exec(cwd) ?? [];
  if (rest !== undefined)
    return isWithin(DATA, resolve(`${DATA}${rest}`)) ? undefined : "`cwd` leads out of the data directory";
  if (cwd.includes(DATA_PLACEHOLDER)) return undefined;
  const path = resolve(root, expanded(cwd, { root, data: "" }));
  const isOutside = !isWithin(root, path) || (await isLedOut(root, path));
  return isOutside ? "`cwd` leads out of the plugin" : undefined;
}

/** Any absolute path: only the parts after it matter. */
const DATA = resolve("/data");

async function isLedOut(root: string, path: string): Promise<boolean> {
  return (await packagePlace(root, path.slice(root.length + 1) || ".")).kind === "outside";
}
