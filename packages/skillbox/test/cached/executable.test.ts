import type { SkillRepository } from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";
import { cached } from "@skillwright/skillbox";
import { expect, test } from "vitest";
import { skillFile } from "../skill-file.js";
import { cachedSubject } from "./cached-subject.js";

const SKILL = {
  ...skillFile("alpha"),
  "run.sh": { content: "#!/bin/sh\n", executable: true },
  "plain.txt": "plain",
};

test.each(["the process that fetched it", "another process"])(
  "executable bits are preserved in what %s loads",
  async (who) => {
    const { store, dispose } = await cachedSubject();
    const memory = memoryRepository({ skills: { alpha: SKILL } });
    let loads = 0;
    const repository: SkillRepository = {
      ...memory,
      load: (...given) => {
        loads++;
        return memory.load(...given);
      },
    };
    const process = () => cached(repository, { content: store(), name: "one" });
    const first = process();
    const fetched = await first.load("alpha");
    const skill = await (who === "another process" ? process() : first).load("alpha");
    expect(skill).toEqual(fetched);
    // The stored content equals the skill, byte for byte.
    expect(loads).toBe(1);
    expect(skill.digest).toBe((await memory.load("alpha")).digest);
    expect(skill.manifest.files.map(({ path, executable }) => [path, executable])).toEqual([
      ["SKILL.md", false],
      ["plain.txt", false],
      ["run.sh", true],
    ]);
    await dispose?.();
  },
);
