import type { FileEntry, StagedSkill } from "@skillwright/core/adapter";
import { type Breaking, workspaces } from "./breaking.js";

function stages(change: (skill: StagedSkill) => StagedSkill): Breaking {
  return workspaces(({ stage }) => ({ stage: (skill, options) => stage(change(skill), options) }));
}

function files(change: (file: FileEntry) => FileEntry): (skill: StagedSkill) => StagedSkill {
  return (skill) => ({
    ...skill,
    directory: undefined,
    files: async function* () {
      for await (const file of skill.files()) yield change(file);
    },
  });
}

export const brokenStaging: Readonly<Record<string, Breaking>> = {
  "stage/visible": stages(files((file) => ({ ...file, executable: false }))),
  // A directory of that name takes the place of the link.
  "stage/links": stages((skill) => ({
    ...skill,
    files: async function* () {
      yield* skill.files();
      yield { path: "out/keep", content: "" };
    },
  })),
  "stage/directory": stages(files((file) => ({ ...file, executable: true }))),
  "stage/same-digest": workspaces(({ stage, unstage }) => ({
    stage: async (skill, options) => {
      await unstage(skill.name);
      await stage(skill, options);
    },
  })),
  "stage/replaces": workspaces(({ stage, staged }) => ({
    stage: async (skill, options) => {
      if (!(await staged()).has(skill.name)) await stage(skill, options);
    },
  })),
  "stage/failed": workspaces(({ stage, unstage }) => ({
    stage: async (skill, options) => {
      await unstage(skill.name);
      await stage(skill, options);
    },
  })),
  // Claims what only a sandbox can do.
  "stage/read-only": (runtime) => ({
    ...runtime,
    capabilities: async () => ({ ...(await runtime.capabilities()), readOnlySkills: true }),
  }),
  // Files written by a run are kept for the next one.
  "skill-copies/run": (runtime) => ({
    ...runtime,
    capabilities: async () => ({ ...(await runtime.capabilities()), skillCopies: "run" }),
  }),
  // Each run has a fresh one.
  "skill-copies/workspace": workspaces(({ start, stage, unstage }) => {
    let last: StagedSkill | undefined;
    return {
      stage: async (skill, options) => {
        last = skill;
        await stage(skill, options);
      },
      start: async (command, options) => {
        if (last) {
          await unstage(last.name);
          await stage(last);
        }
        return await start(command, options);
      },
    };
  }),
  "stage/remembered": workspaces(({ stage }) => {
    const own = new Map<string, string>();
    return {
      stage: async (skill, options) => {
        await stage(skill, options);
        own.set(skill.name, skill.digest);
      },
      staged: async () => own,
    };
  }),
  "stage/bad-name": stages((skill) => ({ ...skill, name: skill.name.replaceAll(/[^\w ]/g, "_") || "_" })),
  "unstage/gone": workspaces(() => ({ unstage: async () => undefined })),
};
