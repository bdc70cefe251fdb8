import { execFile } from "node:child_process";
import { existsSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { images, saveImage } from "./save-image.mjs";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));

/**
 * @typedef {object} StartedCluster
 * @property {string} adminConfig Path of the kubeconfig of an administrator.
 * @property {string} kubectl The program.
 * @property {string} image In which commands run.
 * @property {string} supervisorImage
 * @property {boolean} isOwn True where the tests may stop parts of it.
 * @property {string} [script] The program that started it.
 * @property {string} [directory]
 * @property {() => Promise<void>} stop
 */

/** Why there is no cluster for tests; `undefined` where there is one, or one can be started. */
export function whyNoCluster() {
  if (process.env["SKILLWRIGHT_KUBERNETES"] === "1")
    return process.env["KUBECONFIG"] ? undefined : "SKILLWRIGHT_KUBERNETES is 1, and KUBECONFIG is not set";
  if (!existsSync(ownScript()))
    return "there is none; set SKILLWRIGHT_KUBERNETES=1 and KUBECONFIG to use one";
  return process.getuid?.() === 0 ? undefined : "one of this machine needs root";
}

/** Builds the programs of this machine's own cluster, which takes some 12 minutes of two cores the first time. */
export async function buildCluster() {
  if (whyNoCluster() === undefined && process.env["SKILLWRIGHT_KUBERNETES"] !== "1")
    await run(ownScript(), ["build"], { maxBuffer: 1 << 26 });
}

/** The `runsc` that is built with this machine's own cluster; waits until it is there. `undefined` where none is built. */
export async function builtGvisor() {
  if (whyNoCluster() !== undefined) return undefined;
  await buildCluster();
  const cache = process.env["TESTCLUSTER_CACHE"];
  const places = cache
    ? [cache]
    : globSync("testcluster/*", { cwd: userCache() }).map((name) => join(userCache(), name));
  return places.map((place) => join(place, "runsc")).find((file) => existsSync(file));
}

/**
 * Starts a Kubernetes of this machine, or uses the one that KUBECONFIG names where SKILLWRIGHT_KUBERNETES is 1.
 *
 * @returns {Promise<StartedCluster | { reason: string }>}
 */
export async function startCluster() {
  const reason = whyNoCluster();
  if (reason !== undefined) return { reason };
  return process.env["SKILLWRIGHT_KUBERNETES"] === "1" ? givenCluster() : await ownCluster(ownScript());
}

function userCache() {
  return process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
}

function ownScript() {
  return join(process.env["SKILLWRIGHT_SHARED"] ?? join(root, "../shared"), "services/kubernetes/up");
}

/** The images must be there, as the workflow for kind loads them. */
function givenCluster() {
  const adminConfig = process.env["KUBECONFIG"] ?? "";
  return { adminConfig, kubectl: "kubectl", ...imageNames(), isOwn: false, stop: async () => undefined };
}

const STARTS = 3;

/** The parts start concurrently, and on a busy machine one of them may give up before another one answers. */
async function ownCluster(/** @type {string} */ script, start = 1) {
  try {
    return await startOwn(script);
  } catch (/** @type {any} */ error) {
    console.log(`The cluster did not start (${start} of ${STARTS} times): ${error.message}`);
    if (start === STARTS) throw error;
    return await ownCluster(script, start + 1);
  }
}

async function startOwn(/** @type {string} */ script) {
  // On a disk, with a short name: sockets lie in it.
  const directory = mkdtempSync("/var/tmp/sw-k8s-");
  const up = async (/** @type {readonly string[]} */ ...args) =>
    await run(script, [directory, ...args], { maxBuffer: 1 << 26 });
  const stop = async () => {
    await up("stop").catch(() => undefined);
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    const { stdout } = await up();
    const programs = /^export PATH=([^:]+):/m.exec(stdout)?.[1] ?? "";
    for (const image of Object.values(images)) {
      const file = join(directory, "image.tar");
      await saveImage(image, file);
      await up("load", file);
      rmSync(file);
    }
    const kubectl = join(programs, "kubectl");
    return {
      adminConfig: join(directory, "admin.conf"),
      kubectl,
      ...imageNames(),
      isOwn: true,
      script,
      directory,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function imageNames() {
  return { image: images.base.name, supervisorImage: images.supervisor.name };
}
