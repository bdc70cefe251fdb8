import { readdirSync, readlinkSync } from "node:fs";
import { basename, dirname } from "node:path";
import { runCommand } from "../../scripts/run-command.mjs";

/** The directories of programs besides Node's own. `/bin` and `/sbin` are links to the first two on Debian. */
export const programFolders = ["/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin"];

/** The programs of Node, whether it was installed as a package or not. */
const ofNode = ["node", "nodejs", "npm", "npx"];

/**
 * The programs that a plain Debian with git, Node and npm would not have: all except those of essential
 * packages and of git. Their names, by directory.
 *
 * @returns {Promise<Map<string, string[]>>}
 */
export async function addedPrograms() {
  const plain = new Set((await filesOf(await plainPackages())).map(throughUsr));
  return new Map(
    programFolders.map((folder) => {
      const isPlain = (/** @type {string} */ name) =>
        ofNode.includes(name) ||
        plain.has(`${folder}/${name}`) ||
        plain.has(alternative(`${folder}/${name}`));
      return [folder, readdirSync(folder).filter((name) => !isPlain(name))];
    }),
  );
}

async function plainPackages() {
  const { stdout } = await runCommand("dpkg-query", [
    "-W",
    "-f",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholders belong to dpkg-query
    "${Package}\\t${Priority}\\t${Essential}\\n",
  ]);
  const required = stdout
    .split("\n")
    .map((line) => line.split("\t"))
    .filter(([, priority, essential]) => priority === "required" || essential === "yes")
    .map(([name = ""]) => name);
  return [...required, "git", "ca-certificates"];
}

async function filesOf(/** @type {string[]} */ packages) {
  const { stdout } = await runCommand("dpkg-query", ["-L", ...packages]);
  return stdout.split("\n").filter((path) => /\/s?bin\//.test(path));
}

/** Packages still name some programs by the links `/bin` and `/sbin`. */
function throughUsr(/** @type {string} */ path) {
  return path.replace(/^\/(s?bin\/)/, "/usr/$1");
}

/** The target of a link into /etc/alternatives, such as `mawk` for `awk`; otherwise the path itself. */
function alternative(/** @type {string} */ path) {
  try {
    const target = readlinkSync(path);
    if (dirname(target) !== "/etc/alternatives") return path;
    return throughUsr(readlinkSync(`/etc/alternatives/${basename(target)}`));
  } catch {
    return path; // no link
  }
}
