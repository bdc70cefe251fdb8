import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { processesWith } from "../workspace/processes-with.mjs";
import { treeSize } from "../workspace/tree-size.mjs";
import { controlGroupsOf, makeOld, pathsBelow } from "./leftovers.mjs";
import { hashOf } from "./operations.mjs";
import { openSoakHouse, SESSIONS, sessionOf } from "./soak-house.mjs";
import { uploadsThatMustBe } from "./verdict.mjs";

/** One use of everything, taken away again: what is there then is no leftover. */
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

/** Looks for what was acknowledged, takes everything away and looks for what stayed. */
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

/** They are told of and ended, so that the machine is as it was. What ends by itself within a second is no survivor. */
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
    // It was faster.
  }
}

function procFile(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch {
    return "?";
  }
}

/** Pipes that a runtime of this process has ready. */
function isPipe(path) {
  return new RegExp(`/pipes-${process.pid}-`).test(path);
}

async function takeAway({ workspaces, artifacts, content, runtime }) {
  for (const { id } of await workspaces.list()) await workspaces.destroy(id);
  await workspaces.sweep();
  for (let index = 0; index < SESSIONS; index++) {
    const scope = sessionOf(index);
    // A save removes what killed processes were making in the same place.
    await artifacts.save(scope, "last", "last");
    for (const { name } of await artifacts.list(scope)) await artifacts.delete(scope, name);
  }
  await content.collect(() => false);
  return (await runtime.list()).map((id) => `workspace ${id}`);
}

/** What is only removed when it is old, made old; then everything is opened once more. */
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
  } catch (error) {
    return `${error.code}: ${error.message}`;
  }
}
