import { engineRequest } from "../engine-request.mjs";
import { buildImage } from "./build-image.mjs";
import { fullTree } from "./full-tree.mjs";
import { lyingTree } from "./lying-tools.mjs";
import { bashTree, busyboxTree, shellessTree, toollessTree } from "./trees.mjs";

/** @typedef {"base" | "full" | "no-bash" | "no-shell" | "no-tools" | "lying" | "opinionated"} TestImageKind */

const config = {
  Cmd: ["/bin/sleep", "2147483647"],
  Env: ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"],
};

/** @type {Map<string, { fill: (root: string) => unknown, config: Record<string, unknown> }>} */
const images = new Map([
  ["base", { fill: bashTree, config }],
  ["full", { fill: fullTree, config }],
  ["no-bash", { fill: busyboxTree, config }],
  ["no-tools", { fill: toollessTree, config }],
  ["no-shell", { fill: shellessTree, config: { Cmd: ["/nothing"] } }],
  ["lying", { fill: lyingTree, config }],
  [
    "opinionated",
    {
      fill: bashTree,
      config: {
        Entrypoint: ["/bin/false"],
        User: "1000",
        WorkingDir: "/nowhere",
        Volumes: { "/data": {} },
        StopSignal: "SIGUSR1",
        Labels: { a: "b" },
        Healthcheck: { Test: ["CMD-SHELL", "touch /tmp/healthy"], Interval: 1_000_000_000 },
        Env: [
          ...[
            "PATH=/usr/local/evil:/bin",
            "IMAGE_SECRET=from-image",
            "LD_PRELOAD=/ws/evil.so",
            "HOME=/nowhere",
          ],
          ...["BASH_ENV=/ws/evil.sh", "ENV=/ws/evil.sh", "SHELLOPTS=xtrace", "PROMPT_COMMAND=false", "IFS=x"],
        ],
      },
    },
  ],
]);

/**
 * Ensures that an engine has one of the test images, built offline from this machine's Debian packages.
 *
 * - `base`: busybox and bash, users root and skill (1000)
 * - `full`: a small Debian with bash, GNU tools, Python 3, the Node that runs this script, and pip and npm where the
 *   machine has them
 * - `no-bash`: only busybox
 * - `no-shell`: no executable file
 * - `no-tools`: as base, without `find`, `stat` and `tar`
 * - `lying`: as base, but `tar`, `find`, `stat`, `ls` and `du` give false answers
 * - `opinionated`: as base, with an ENTRYPOINT that fails, USER, WORKDIR, VOLUME, HEALTHCHECK, and ENV that affects
 *   loaders and shells
 *
 * @param {string} host Of the engine.
 * @param {TestImageKind} kind
 * @returns {Promise<string>} The image's name.
 */
export async function testImage(host, kind) {
  const name = `skills-test:${kind}`;
  const image = images.get(kind);
  if (!image) throw new Error(`There is no test image ${kind}: ${[...images.keys()].join(", ")}`);
  const { status } = await engineRequest(host, "GET", `/images/${name}/json`);
  if (status !== 200) await buildImage(host, name, image.fill, image.config);
  return name;
}
