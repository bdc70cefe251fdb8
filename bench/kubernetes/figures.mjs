import { randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { buffer } from "node:stream/consumers";
import { root } from "../../scripts/bootstrap/root.mjs";
import { built } from "../built.mjs";
import { alternate } from "../workspace/alternate.mjs";
import { bare } from "./bare.mjs";

const tar = createRequire(`${root}/packages/runtime-docker/package.json`)("tar-stream");
const [{ kubernetesRuntime }, { run }] = await Promise.all(["runtime-kubernetes", "core/adapter"].map(built));
const RELAY = `${root}/packages/runtime-kubernetes/test/faults/api-relay.ts`;
const unique = () => randomBytes(6).toString("hex");

const files = Array.from({ length: 1000 }, (_, index) => ({
  path: `part-${Math.floor(index / 50)}/file-${index}.txt`,
  content: Buffer.alloc(10_000, `${index} `),
}));
const small = [{ path: "SKILL.md", content: Buffer.from("---\nname: small\ndescription: Small.\n---\n") }];

function skillOf(name, all) {
  const digest = `sha256:${randomBytes(32).toString("hex")}`;
  return {
    name,
    digest,
    files: async function* () {
      yield* all;
    },
  };
}

async function runs(workspace, command) {
  const plain = { runId: unique(), command, cwd: ".", env: {}, timeoutMs: 60_000, maxOutputBytes: 65_536 };
  const { exitCode, stdout } = await run(workspace, plain);
  if (exitCode !== 0) throw new Error(`${command} ended with ${exitCode}`);
  return stdout.text;
}

/** From nothing to the end of the first `true`, compared with the same by the client alone. */
export async function beginning(place) {
  const runtime = kubernetesRuntime(place.options);
  const floor = bare(place);
  const isWarm = place.warm !== undefined;
  const what = isWarm ? "claim of a warm pod" : "cold pod";
  await runtime.capabilities();
  const ours = async () => {
    if (isWarm) await floor.warm(place.warm);
    const id = unique();
    const started = performance.now();
    const workspace = await runtime.create(id);
    if (isWarm) await workspace.stage(skillOf("small", small));
    await runs(workspace, "true");
    const took = performance.now() - started;
    await runtime.destroy(id);
    return took;
  };
  const theirs = async () => {
    if (isWarm) {
      await floor.warm(place.warm);
      return await floor.claim();
    }
    const { name, took } = await floor.pod();
    await floor.removePod(name);
    return took;
  };
  const times = await alternate(
    {
      [`bare ${what} and exec`]: theirs,
      [`workspace from a ${what}${isWarm ? ", a skill staged" : ""}, to the end of \`true\``]: ours,
    },
    { warmUp: 1, rounds: 8 },
  );
  await runtime.close();
  const bounds = isWarm ? { must: 1.5 } : { must: 1.2 };
  return {
    times,
    ratios: [{ what: `${what} to the end of the first \`true\` against the bare one`, ...bounds }],
  };
}

/** In a workspace that exists. */
export async function using(place) {
  const runtime = kubernetesRuntime(place.options);
  const floor = bare(place);
  const workspace = await runtime.create(unique());
  await runs(workspace, "true");
  const pod = await floor.pod();
  const exec = await alternate(
    {
      "bare exec of `true`": () => floor.exec(pod.name, "work", ["true"]),
      "run of `true`": () => runs(workspace, "true"),
    },
    { warmUp: 3, rounds: 25 },
  );
  const archive = await packed(files);
  const staging = await alternate(
    {
      "bare tar of 1,000 files of 10 kB over exec": async () =>
        await floor.exec(pod.name, "work", ["tar", "-x", "-C", "/work"], [archive]),
      "staging of 1,000 files of 10 kB": () => workspace.stage(skillOf("large", files)),
    },
    { warmUp: 1, rounds: 8 },
  );
  await floor.removePod(pod.name);
  await runtime.destroy(workspace.id);
  await runtime.close();
  return [
    { times: exec, ratios: [{ what: "a warm run of `true` against a bare exec", must: 0.5, aim: 0.1 }] },
    { times: staging, ratios: [{ what: "staging 1,000 files of 10 kB against a bare tar", must: 1.3 }] },
  ];
}

/** Twenty workspaces at once. Returns failures and the names of objects that are left. */
export async function together(place) {
  const runtime = kubernetesRuntime(place.options);
  const started = performance.now();
  const all = await Promise.allSettled(
    Array.from({ length: 20 }, async () => {
      const id = unique();
      const workspace = await runtime.create(id);
      await workspace.stage(skillOf("small", small));
      await runs(workspace, `echo ${id} > out/found`);
      const found = await buffer(await workspace.get("out/found"));
      if (found.toString() !== `${id}\n`) throw new Error(`${id} was not collected`);
      await runtime.destroy(id);
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  await runtime.close();
  const failures = all.flatMap((one) => (one.status === "rejected" ? [String(one.reason)] : []));
  return { seconds, failures };
}

async function packed(all) {
  const archive = tar.pack();
  for (const { path, content } of all) archive.entry({ name: path }, content);
  archive.finalize();
  return await buffer(archive);
}

/** The calls of the API server by what a workspace is used for, as a relay in front of it counts them; `exec` are websockets. */
export async function counting(place) {
  const { apiRelay } = await import(RELAY);
  const runtime = kubernetesRuntime(place.options);
  const { id } = await runtime.create(unique());
  /** @type {string[]} */
  let calls = [];
  await using relay = await apiRelay(
    place.kubeconfig,
    ({ method, path }) => void calls.push(`${path.includes("watch=") ? "WATCH" : method} ${kindIn(path)}`),
    () => void calls.push("exec"),
  );
  const other = kubernetesRuntime({ ...place.options, kubeconfig: relay.kubeconfig });
  /** @type {Record<string, string[]>} */
  const counts = {};
  const count = async (/** @type {string} */ what, /** @type {() => Promise<any>} */ work) => {
    calls = [];
    const result = await work();
    counts[what] = calls;
    return result;
  };
  const there = await count("attach from another process", () => other.attach(id));
  await count("the first run after it", () => runs(there, "true"));
  await count("the second run", () => runs(there, "true"));
  await other.destroy(id);
  const own = await count("create", () => other.create(unique()));
  await count("stage a skill", () => own.stage(skillOf("small", small)));
  await count("put a file", () => own.put([{ path: "work/inputs/a", content: "a" }]));
  await count("six runs", async () => {
    for (let step = 0; step < 6; step++) await runs(own, `cp work/inputs/a out/${step}`);
  });
  await count("list and get the outputs", async () => {
    for (const { path } of await own.list("out")) await buffer(await own.get(path));
  });
  await count("destroy", () => other.destroy(own.id));
  await count("list, by which leftovers are removed", () => other.list());
  await other.close();
  await runtime.close();
  return counts;
}

function kindIn(path) {
  return /\/(pods|sandboxclaims|version)\b/.exec(path)?.[1] ?? path;
}
