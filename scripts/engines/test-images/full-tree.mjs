import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { groups, users } from "./trees.mjs";

/** The required Debian packages, as far as this machine has them; their dependencies are included. */
const wanted = [
  ...[
    "bash",
    "dash",
    "coreutils",
    "findutils",
    "grep",
    "sed",
    "mawk",
    "tar",
    "gzip",
    "procps",
    "jq",
    "python3",
    "python3-venv",
    "python3-pip",
    "npm",
  ],
  ...["libstdc++6", "libgcc-s1", "libatomic1"], // of Node
];
/** Files that programs do not need to run. */
const leftOut =
  /^\/usr\/share\/(doc|man|info|locale|lintian|bug|zoneinfo|perl)\/|\/(test|__pycache__|idlelib)\/|\/perl/;

/**
 * A small Debian from this machine's installed packages, the Node that runs this script, and the npm of the system.
 *
 * @param {string} root
 * @param {readonly string[]} [more] Further packages.
 */
export function fullTree(root, more = []) {
  const files = listOf(["dpkg-query", "--listfiles", ...withDependencies([...wanted, ...more])])
    .filter((path) => /^\/[^.]/.test(path) && !leftOut.test(path) && existsSync(path))
    .map((path) => path.slice(1));
  const list = [...new Set(files)].sort().join("\n");
  for (const name of ["bin", "sbin", "lib", "lib64"].filter(isLinkOfMergedUsr)) {
    mkdirSync(`${root}/usr/${name}`, { recursive: true });
    symlinkSync(`usr/${name}`, `${root}/${name}`);
  }
  execFileSync("sh", ["-c", 'tar -C / --no-recursion -T - -c | tar -C "$1" -x', "sh", root], { input: list });

  for (const directory of ["etc", "tmp", "proc", "sys", "dev", "ws", "usr/local/bin"]) {
    mkdirSync(`${root}/${directory}`, { recursive: true });
  }
  chmodSync(`${root}/tmp`, 0o1777);
  cpSync(process.execPath, `${root}/usr/local/bin/node`);
  addNpm(root);
  rmSync(`${root}/usr/bin/awk`, { force: true });
  symlinkSync("mawk", `${root}/usr/bin/awk`);
  writeFileSync(`${root}/etc/passwd`, users);
  writeFileSync(`${root}/etc/group`, groups);
  execFileSync("/sbin/ldconfig", ["-r", root]);
}

/** One that Debian packaged is there with its packages. */
function addNpm(root) {
  const program = ["/usr/bin/npm", "/usr/local/bin/npm"].find((path) => existsSync(path));
  if (program === undefined || existsSync(`${root}/usr/bin/npm`)) return;
  const home = dirname(dirname(realpathSync(program)));
  cpSync(home, `${root}/usr/local/lib/npm`, { recursive: true });
  const start = '#!/bin/sh\nexec node /usr/local/lib/npm/bin/npm-cli.js "$@"\n';
  writeFileSync(`${root}/usr/local/bin/npm`, start);
  chmodSync(`${root}/usr/local/bin/npm`, 0o755);
}

function isLinkOfMergedUsr(name) {
  return lstatSync(`/${name}`, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

function withDependencies(names) {
  const format = `-f=\${Package}\\t\${Pre-Depends}, \${Depends}\\n`;
  const installed = new Map(
    listOf(["dpkg-query", "--show", format]).map((line) => {
      const [name = "", depends = ""] = line.split("\t");
      return [name, depends.split(/[,|]/).map((one) => one.trim().replace(/[ :(].*/, ""))];
    }),
  );
  const found = new Set();
  const add = (name) => {
    if (found.has(name) || !installed.has(name)) return;
    found.add(name);
    for (const dependency of installed.get(name) ?? []) add(dependency);
  };
  names.forEach(add);
  return [...found];
}

function listOf([program = "", ...args]) {
  return execFileSync(program, args, { encoding: "utf8", maxBuffer: 2 ** 26 })
    .split("\n")
    .filter((line) => line !== "");
}
