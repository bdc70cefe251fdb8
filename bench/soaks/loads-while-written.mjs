import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { built } from "../built.mjs";
import { startUploader } from "../soak/uploader.mjs";

const LOADS = 1_000_000;
/** A few loads wait for the disk concurrently, as several conversations of one process would. */
const AT_ONCE = 4;

/** Loads a skill while another process uploads it repeatedly. Every load returns one complete generation, and none fails. */
export async function soak({ share, tell }) {
  const { fsRepository } = await built("repository-fs");
  const root = mkdtempSync(join(tmpdir(), "skillwright-soak-"));
  const loads = Math.round(LOADS * share);
  const uploader = startUploader(root);
  try {
    await once(uploader, "message");
    const repository = fsRepository({ root });
    const generations = new Set();
    let begun = 0;
    const load = async () => {
      while (begun < loads) {
        const number = ++begun;
        const { manifest } = await repository.load("demo");
        generations.add(generationOf(manifest));
        if (number % 100_000 === 0) tell(`${number} loads, ${generations.size} generations seen`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, load));
    await repository.close?.();
    if (generations.size < 2) throw new Error("the other process wrote nothing while this one loaded");
    return `${loads} loads, ${generations.size} generations seen, none failed`;
  } finally {
    const ended = once(uploader, "exit");
    if (uploader.kill("SIGKILL")) await ended;
    rmSync(root, { recursive: true, force: true });
  }
}

/** The generation, which is part of the name of one file. */
function generationOf({ files }) {
  const marks = files.flatMap(({ path }) => /^only-(\d+)$/.exec(path)?.[1] ?? []);
  if (marks.length !== 1 || files.length !== 4)
    throw new Error(`a load mixed generations: ${files.map(({ path }) => path).join(", ")}`);
  return marks[0];
}
