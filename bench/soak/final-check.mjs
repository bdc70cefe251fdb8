import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { processesWith } from "../workspace/processes-with.mjs";
import { treeSize } from "../workspace/tree-size.mjs";
import { controlGroupsOf, makeOld, pathsBelow } from "./leftovers.mjs";
import { hashOf } from "./operations.mjs";
import { openSoakHouse, SESSIONS, sessionOf } from "./soak-house.mjs";
import { uploadsThatMustBe } from "./verdict.mjs";

/** Uses everything once and removes it; what exists afterwards is not a leftover. */
export async function baselineOf(directory) {
  const house = openSoakHouse(directory);
  for (let index = 0; index < SESSIONS; index++) {
    const { id } = await house.workspaces.forSession(sessionOf(index));
    await house.workspaces.upload(id, "first.bin", "first");
    const outputs = { globs: ["out/**"], save: true };
    await house.workspaces.run(id, { skill: "report", command: "echo > out/first.txt", outputs });
  }
  await takeAway(house);
  await house.close();
  await tidied(directory);
  return { paths: new Set(pathsBelow(`${directory}/house`)), ...treeSize(`${directory}/house`) };
}

/** Checks everything that was acknowledged, removes it and looks for leftovers. */
export async function finalCheck(directory, { operations, kills, pids, tag, baseline }) {
  const findings = await endSurvivors(tag);
  const house = openSoakHouse(directory);
  const swept = await house.workspaces.sweep();
  const uploads = uploadsThatMustBe(operations, kills);
  for (const upload of uploads) {
    const found = await attempt(() =>
      house.workspaces.download(upload.workspace, `work/inputs/${upload.name}`),
    );
    if (found !== upload.sha256)
      findings.push(`lost upload: ${upload.name} of ${upload.workspace} at the end: ${found}`);
  }
  const saved = operations.flatMap(({ artifact, end }) => (artifact && end ? [artifact] : []));
  for (const { scope, name, version, sha256 } of saved) {
    const found = await attempt(async () => (await house.artifacts.open(scope, name, { version })).content);
    if (found !== sha256) findings.push(`lost artifact: ${name}@${version}: ${found}`);
  }
  const left = await takeAway(house);
  findings.push(...left.map((what) => `left: ${what}`));
  await house.close();
  await tidied(directory);
  findings.push(...controlGroupsOf(pids).map((path) => `left: control group ${path}`));
  const paths = pathsBelow(`${directory}/house`).filter((path) => !baseline.paths.has(path) && !isPipe(path));
  findings.push(...paths.map((path) => `left: ${path}`));
  const after = treeSize(`${directory}/house`);
  if (after.bytes > baseline.bytes) findings.push(`left: ${after.bytes - baseline.bytes} bytes more on disk`);
  return { findings, uploads: uploads.length, artifacts: saved.length, swept, after };
}

/** Reports and ends them, so that the machine is as before. A process that ends by itself within a second is not a survivor. */
async function endSurvivors(tag) {
  if (processesWith(tag).length > 0) await setTimeout(1000);
  return processesWith(tag).map((pid) => {
    const [state, waitsIn] = [procFile(pid, "stat").split(" ")[2], procFile(pid, "wchan")];
    const command = procFile(pid, "cmdline").replaceAll("\0", " ").slice(0, 60);
    end(pid);
    return `left: process ${pid} in state ${state}, waiting in ${waitsIn}: ${command}`;
  });
}

function end(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended first.
  }
}

function procFile(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch {
    return "?";
  }
}

/** Pipes that a runtime of this process keeps ready. */
function isPipe(path) {
  return new RegExp(`/pipes-${process.pid}-`).test(path);
}

async function takeAway({ workspaces, artifacts, content, runtime }) {
  for (const { id } of await workspaces.list()) await workspaces.destroy(id);
  await workspaces.sweep();
  for (let index = 0; index < SESSIONS; index++) {
    const scope = sessionOf(index);
    // A save removes what killed processes were writing in the same place.
    await artifacts.save(scope, "last", "last");
    for (const { name } of await artifacts.list(scope)) await artifacts.delete(scope, name);
  }
  await content.collect(() => false);
  return (await runtime.list()).map((id) => `workspace ${id}`);
}

/** Makes files old that are only removed when they are old, then opens everything once more. */
async function tidied(directory) {
  for (const name of ["workspaces", "registry", "content"]) makeOld(`${directory}/house/${name}`);
  const house = openSoakHouse(directory);
  await house.workspaces.sweep();
  await house.content.collect(() => false);
  await house.close();
}

async function attempt(open) {
  try {
    return await hashOf(await open());
  } catch (/** @type {any} */ error) {
    return `${error.code}: ${error.message}`;
  }
}
