import { expect } from "vitest";
import { HOME, PROJECT, projectAndHome } from "../../../packages/config/test/file/project-and-home.js";
import { limitsOf } from "../limit.js";

const MERGED = "src/file/merged-configuration.ts";

export const configLimits = limitsOf("config", [
  {
    option: "`skills.max_index_chars`",
    kind: "default",
    value: 4000,
    unit: "characters",
    documented: ["src/file/configuration-file.ts", "Maximum characters of the overview. Defaults to 4,000."],
    source: [MERGED, '"max_index_chars") ?? 4000'],
    probe: async (value) => expect((await configuration()).skills.maxIndexChars).toBe(value),
  },
  {
    option: "`skills.max_listed_skills`",
    kind: "default",
    value: 32,
    unit: "skills",
    documented: [
      "src/file/configuration-file.ts",
      "Maximum number of skills in the overview. Defaults to 32.",
    ],
    source: [MERGED, '"max_listed_skills") ?? 32'],
    probe: async (value) => expect((await configuration()).skills.maxListedSkills).toBe(value),
  },
  {
    option: "`agent_prompt_reinject_every`",
    kind: "default",
    value: 100,
    unit: "turns",
    documented: ["src/file/configuration-file.ts", "injected again. Defaults to 100; 0 means never."],
    source: [MERGED, "?? 100,"],
    probe: async (value) => expect((await configuration()).agentPromptReinjectEvery).toBe(value),
  },
]);

async function configuration() {
  const { load } = await projectAndHome({ [HOME]: {}, [PROJECT]: {} });
  return (await load()).configuration;
}
