import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { hostileArchive } from "./hostile-archive.mjs";
import { bashTree } from "./trees.mjs";

/**
 * The tree of `bashTree` in which each tool that reports files gives false answers: files above the
 * workspace, absolute paths, sizes beyond all limits, and far too many of them.
 */
export function lyingTree(root) {
  bashTree(root);
  mkdirSync(`${root}/lies`);
  for (const [tool, lie] of lies) {
    writeFileSync(`${root}/lies/${tool}`, lie());
    for (const directory of ["bin", "usr/bin"]) {
      const path = `${root}/${directory}/${tool}`;
      rmSync(path, { force: true });
      writeFileSync(path, `#!/bin/bash\nexec /bin/busybox cat /lies/${tool}\n`, { mode: 0o755 });
    }
  }
}

const huge = "99999999999999999999";
const names = [
  "../../etc/passwd",
  "/etc/shadow",
  "out/../../../etc/passwd",
  "out/a\nb",
  `out/${"a".repeat(5_000)}`,
];
const many = Array.from({ length: 20_000 }, (_, index) => `out/many-${index}`);

/** In several formats: as `-printf` records, as `-print0`, as lines. */
const lies = new Map(
  /** @type {[string, () => string | Uint8Array][]} */ ([
    ["tar", hostileArchive],
    [
      "find",
      () =>
        [
          ...names.map((name) => `f ${huge} 1.0 644 ${name}\0`),
          ...[...names, ...many].map((name) => `${name}\0`),
          ...names.map((name) => `${name}\n`),
        ].join(""),
    ],
    ["stat", () => names.map((name) => `${huge} 81a4 1 0 0 ${name}\n`).join("")],
    ["ls", () => names.map((name) => `-rwsr-xr-x 1 root root ${huge} Jan 1 1970 ${name}\n`).join("")],
    ["du", () => `-1\t../..\n${huge}\tout\n`],
  ]),
);
