import { randomUUID } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { SkillError } from "@skillwright/core";
import { taskQueue } from "@skillwright/core/adapter";
import { memoryLabels } from "./memory-labels.js";
import type { RegistryLabels, VersionLabels } from "./registry-labels.js";

/**
 * Keeps the labels in a JSON file, which is replaced as a whole at each change and may be missing at first. One process
 * may write it.
 * @throws SkillError from its methods: `CONFIG_INVALID` where the file has another form, `BACKEND_FAILED`.
 */
export function fileLabels(path: string): RegistryLabels {
  const inTurn = taskQueue();

  return {
    read: () => labelsIn(path),
    move: (skill, label, version) =>
      inTurn.run(async () => {
        const changed = memoryLabels();
        for (const [name, labels] of Object.entries(await labelsIn(path)))
          for (const [one, at] of Object.entries(labels)) await changed.move(name, one, at);
        await changed.move(skill, label, version);
        await replace(path, { formatVersion: 1, labels: await changed.read() });
      }),
  };
}

async function labelsIn(path: string): Promise<Readonly<Record<string, VersionLabels>>> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw SkillError.from(error, `Reading the labels in ${path}`);
  }
  try {
    const { formatVersion, labels } = JSON.parse(text);
    if (formatVersion === 1 && isLabels(labels)) return labels;
  } catch {
    // Reported as any other content that is not one of ours.
  }
  throw new SkillError("CONFIG_INVALID", `${path} is not a file of labels. Correct it, or remove it.`);
}

function isLabels(value: unknown): value is Readonly<Record<string, VersionLabels>> {
  const isObject = (one: unknown): one is object => typeof one === "object" && one !== null;
  return (
    isObject(value) &&
    Object.values(value).every(
      (labels) => isObject(labels) && Object.values(labels).every((version) => typeof version === "string"),
    )
  );
}

async function replace(path: string, content: object): Promise<void> {
  const beside = `${path}.${randomUUID()}`;
  try {
    await writeFile(beside, `${JSON.stringify(content, undefined, 2)}\n`);
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw SkillError.from(error, `Writing the labels to ${path}`);
  }
}
