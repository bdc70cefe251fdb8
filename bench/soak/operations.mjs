import { createHash } from "node:crypto";
import { SESSIONS, sessionOf } from "./soak-house.mjs";

/** The operations of workers. Each takes `{ random, house, own, step, tag, bytesFor }`. */
export const operations = { make, upload, run, collect, look, destroy, alone };

async function make({ random, house, own, step }) {
  await idOf(random.pick(indexes), { house, own, step });
}

async function upload({ random, house, own, step, bytesFor }) {
  const id = await known({ random, house, own, step });
  if (id) await uploadTo(id, `file-${random.pick(indexes)}.bin`, { house, step, bytesFor });
}

async function run({ random, house, own, step, tag }) {
  const index = random.pick(indexes);
  const id = own.ids.get(index) ?? (await idOf(index, { house, own, step }));
  if (id) await runIn(id, { random, house, own, step, tag, index });
}

/** An artifact that was acknowledged to this worker must exist, with its bytes. */
async function collect({ random, house, own, step }) {
  if (own.saved.length === 0) return;
  const { scope, name, version, sha256 } = random.pick(own.saved);
  await step("collect", { name, version }, async () => {
    const { content } = await house.artifacts.open(scope, name, { version });
    const found = await hashOf(content);
    return { lost: found !== sha256 };
  });
}

async function look({ random, house, step }) {
  const which = random.pick(["list", "files"]);
  await step("look", { which }, async () => {
    if (which === "list") return { count: (await house.workspaces.list()).length };
    const [first] = await house.workspaces.list();
    return { count: first ? ((await house.workspaces.attach(first.id)) ? 1 : 0) : 0 };
  });
}

async function destroy({ random, house, own, step }) {
  const index = random.pick(indexes);
  const id = own.ids.get(index);
  if (!id) return;
  own.ids.delete(index);
  await step("destroy", { workspace: id }, async () => ({ removed: await house.workspaces.destroy(id) }));
}

/** The whole life of a workspace that no other worker uses: nothing may fail. */
async function alone(parts) {
  const { house, step, random } = parts;
  const made = await step("make", { own: true }, async () => ({
    workspace: (await house.workspaces.create()).id,
  }));
  if (!made.workspace) return;
  await uploadTo(made.workspace, "only.bin", { ...parts, own: true });
  if (random.chance(0.7)) await runIn(made.workspace, { ...parts, isOwn: true, index: 0 });
  await step("destroy", { workspace: made.workspace, own: true }, async () => ({
    removed: await house.workspaces.destroy(made.workspace),
  }));
}

async function known({ random, house, own, step }) {
  const index = random.pick(indexes);
  return own.ids.get(index) ?? (await idOf(index, { house, own, step }));
}

async function idOf(index, { house, own, step }) {
  const { workspace } = await step("make", { index }, async () => ({
    workspace: (await house.workspaces.forSession(sessionOf(index))).id,
  }));
  if (workspace) own.ids.set(index, workspace);
  return workspace;
}

/** @param {string} workspace @param {string} name @param {Record<string, any>} parts */
async function uploadTo(workspace, name, { house, step, bytesFor, own }) {
  const { bytes, sha256 } = bytesFor(`${workspace} ${process.pid} ${process.hrtime.bigint()}`);
  await step("upload", { workspace, sha256, own: own === true }, async () => {
    const { path } = await house.workspaces.upload(workspace, name, bytes);
    return { name: path.slice("work/inputs/".length) };
  });
}

async function runIn(workspace, { random, house, own, step, tag, index, isOwn = false }) {
  const shape = random.shared([
    ["plain", 0.6],
    ["background", 0.15],
    ["limited", 0.15],
    ["timeout", 0.1],
  ]);
  const isShared = random.chance(0.5);
  const scope = sessionOf(index);
  await step("run", { workspace, shape, own: isOwn }, async (key) => {
    // Shared names, whose saves compete in different workspaces, and names of their own.
    const output = isShared ? "out/reports/latest.txt" : `out/reports/${key}.txt`;
    const result = await house.workspaces.run(
      workspace,
      wanted(shape, { key, output, tag, artifacts: scope }),
    );
    const file = result.outputs.find(({ path }) => path === output);
    const saved = file?.artifact;
    if (saved) own?.saved?.push({ scope, name: saved.name, version: saved.version, sha256: saved.sha256 });
    return {
      exitCode: result.exitCode,
      timedOut: result.timedOut,
      treeEnded: result.treeEnded,
      listing: listingIn(file?.content),
      ...(saved
        ? { artifact: { scope, name: saved.name, version: saved.version, sha256: saved.sha256 } }
        : {}),
      diagnostics: result.diagnostics
        .filter(({ severity }) => severity === "error")
        .map(({ message }) => message),
    };
  });
}

function wanted(shape, { key, output, tag, artifacts }) {
  const sleep = `sleep 600.${tag}`;
  const report = `: soak ${tag}; mkdir -p out/reports && { echo ${key}; bash scripts/report.sh; } > ${output}.new && mv ${output}.new ${output}`;
  const commands = {
    plain: report,
    limited: report,
    background: `setsid ${sleep} & ${sleep} & ${report}`,
    timeout: `${report}; ${sleep}`,
  };
  return {
    skill: "report",
    command: commands[shape],
    timeoutMs: shape === "timeout" ? 1500 : 60_000,
    outputs: { globs: [output], inline: true, save: true },
    artifacts,
    ...(shape === "limited"
      ? { limits: { processes: 64, memoryBytes: 256 * 1024 * 1024 }, bestEffort: true }
      : {}),
  };
}

/** Hashes by name, from the output of the script after the first line; missing if the output was. */
function listingIn(text) {
  if (text === undefined) return undefined;
  const lines = text
    .split("\n")
    .slice(1)
    .filter((line) => line !== "");
  return Object.fromEntries(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
}

export async function hashOf(content) {
  const hash = createHash("sha256");
  for await (const piece of content) hash.update(piece);
  return hash.digest("hex");
}

const indexes = Array.from({ length: SESSIONS }, (_, index) => index);
