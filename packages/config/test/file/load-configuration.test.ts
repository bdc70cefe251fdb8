import { join } from "node:path";
import { type Secret, SkillError } from "@skillwright/core";
import { describe, expect, test } from "vitest";
import { HOME, PROJECT, projectAndHome } from "./project-and-home.js";

describe("the loaded configuration", () => {
  test("has the documented defaults when nothing is set", async () => {
    const { load } = await projectAndHome({});
    const { configuration, files, diagnostics } = await load();
    expect(configuration).toEqual({
      skills: {
        enabled: true,
        repositories: [],
        linkRoots: [],
        maxIndexChars: 4000,
        maxListedSkills: 32,
        settings: { skills: {} },
      },
      agent: {},
      stores: {},
      agentPromptReinjectEvery: 100,
    });
    expect([...files, ...diagnostics]).toEqual([]);
  });

  test("takes each field from the environment, the project or the home directory, in this order", async () => {
    const { load, project, home } = await projectAndHome({
      [HOME]: {
        skills: { max_index_chars: 1, max_listed_skills: 1, sources: ["user"] },
        agent_prompt_reinject_every: 1,
      },
      [PROJECT]: { skills: { max_index_chars: 2, max_listed_skills: 2 } },
    });
    const { configuration, files } = await load({
      SKILLWRIGHT_SKILLS_MAX_INDEX_CHARS: "3",
      SKILLWRIGHT_SKILLS_ENABLED: "no",
      SKILLWRIGHT_SKILLS_SOURCES: "user, project",
      SKILLWRIGHT_SKILLS_ALLOW: " ",
    });
    const { skills } = configuration;
    expect(skills).toMatchObject({ maxIndexChars: 3, maxListedSkills: 2, enabled: false });
    expect(skills.sources).toEqual(["user", "project"]);
    expect(skills.allow).toBeUndefined();
    expect(configuration.agentPromptReinjectEvery).toBe(1);
    expect(files).toEqual([
      { path: join(project, "skillwright.config.json"), place: "project", trusted: false },
      { path: join(home, ".skillwright/skillwright.config.json"), place: "home", trusted: true },
    ]);
  });

  test("takes each time of `stores.keep` from the first file that has it", async () => {
    const own = await projectAndHome({
      [HOME]: {
        stores: { keep: { eventsMs: 60_000, outputsMs: false } },
        trusted_projects: ["<root>/project"],
      },
      [PROJECT]: { stores: { keep: { eventsMs: 120_000 } } },
    });
    expect((await own.load()).configuration.stores).toEqual({
      keep: { eventsMs: 120_000, outputsMs: false },
    });
    const { load } = await projectAndHome({ [HOME]: { stores: { keep: { eventsMs: 59_999 } } } });
    await expect(load()).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining("stores.keep.eventsMs"),
    });
  });

  test("uses the nearest project file above the working directory, never one in the home directory or above it", async () => {
    const { load, root, home } = await projectAndHome({
      "skillwright.config.json": { skills: { max_index_chars: 9 } },
      [PROJECT]: { skills: { max_index_chars: 2 } },
      "project/a/b/file": "",
      "home/work/file": "",
      "home/skillwright.config.json": { skills: { max_index_chars: 8 } },
    });
    const charsFrom = async (cwd: string) => (await load({}, cwd)).configuration.skills.maxIndexChars;
    expect(await charsFrom(join(root, "project/a/b"))).toBe(2);
    expect(await charsFrom(join(home, "work"))).toBe(4000);
    expect(await charsFrom(home)).toBe(4000);
  });

  test("SKILLWRIGHT_CONFIG names another file, which is trusted", async () => {
    const { load, project } = await projectAndHome({
      [PROJECT]: { skills: { max_index_chars: 2 } },
      "project/other.json": { skills: { pass_env: ["REGION"], repositories: { team: "./team" } } },
    });
    const { configuration, files } = await load({ SKILLWRIGHT_CONFIG: "other.json" });
    expect(configuration.skills.maxIndexChars).toBe(4000);
    expect(configuration.skills.settings.passVariables).toEqual(["REGION"]);
    expect(configuration.skills.repositories).toEqual([
      { name: "team", source: "./team", cwd: project, trusted: true },
    ]);
    expect(files).toMatchObject([{ place: "named", trusted: true }]);
    await expect(load({ SKILLWRIGHT_CONFIG: "gone.json" })).rejects.toThrow("does not exist");
    await expect(load({ SKILLWRIGHT_CONFIG: "other.yaml" })).rejects.toThrow("in neither .json nor .ts");
  });

  test("gateway.agent_prompt_reinject_every is accepted, including 0", async () => {
    const { load } = await projectAndHome({ [HOME]: { gateway: { agent_prompt_reinject_every: 0 } } });
    expect((await load()).configuration.agentPromptReinjectEvery).toBe(0);
  });

  test("settings of a skill in both files are merged; texts can come from a variable and are then secrets", async () => {
    const { load } = await projectAndHome({
      [HOME]: {
        skills: {
          entries: {
            forge: {
              api_key: { from: "FORGE" },
              env: { REGION: "eu", URL: { from: "GONE" } },
              config: { team: "x" },
            },
            plain: { api_key: "in-the-file" },
          },
        },
      },
      [PROJECT]: { skills: { entries: { forge: { enabled: false } } } },
    });
    const { configuration, diagnostics } = await load({ FORGE: "open-sesame" });
    const { forge, plain } = configuration.skills.settings.skills ?? {};
    expect(forge).toMatchObject({ enabled: false, env: { REGION: "eu" }, config: { team: "x" } });
    expect(revealed(forge?.apiKey)).toBe("open-sesame");
    expect(revealed(plain?.apiKey)).toBe("in-the-file");
    expect(JSON.stringify(configuration)).not.toMatch(/sesame|in-the-file/);
    expect(diagnostics).toMatchObject([
      {
        code: "configuration.variable-unset",
        message: expect.stringContaining("skills.entries.forge.env.URL"),
      },
    ]);
  });
});

describe("invalid configuration", () => {
  test.each([
    [{ skills: { max_index_chars: -1 } }, "skills.max_index_chars"],
    [{ skills: { max_listed_skills: "many" } }, "skills.max_listed_skills"],
    [{ skills: { sources: ["nowhere"] } }, "skills.sources.0"],
    [{ skills: { maxIndexChars: 1 } }, "skills.maxIndexChars"],
    [{ skills: { entries: { a: { enabled: "yes" } } } }, "skills.entries.a.enabled"],
    [{ agent_prompt_reinject_every: 1.5 }, "agent_prompt_reinject_every"],
  ])("%j: the error names the file and %s", async (content, path) => {
    const { load, home } = await projectAndHome({ [HOME]: content });
    const error = await load().catch((reason: unknown) => reason);
    expect(SkillError.is(error, "CONFIG_INVALID")).toBe(true);
    expect(String(error)).toContain(
      `${home}/.skillwright/skillwright.config.json is not valid:\n- ${path}: given `,
    );
  });

  test("the error does not print a key at the wrong place", async () => {
    const { load } = await projectAndHome({
      [HOME]: { skills: { entries: { a: { api_key: ["sesame"] } } } },
    });
    const error = await load().catch((reason: unknown) => reason);
    expect(String(error)).toContain("skills.entries.a.api_key");
    expect(String(error)).not.toContain("sesame");
  });

  test("the error names invalid JSON and a variable that is not a number", async () => {
    const { load } = await projectAndHome({ [HOME]: "{ skills: " });
    await expect(load()).rejects.toThrow("skillwright.config.json is not valid JSON");
    const { load: other } = await projectAndHome({});
    await expect(other({ SKILLWRIGHT_SKILLS_MAX_INDEX_CHARS: "lots" })).rejects.toThrow(
      /SKILLWRIGHT_SKILLS_MAX_INDEX_CHARS[\s\S]*skills\.max_index_chars: given "lots"/,
    );
  });
});

function revealed(value: string | Secret | undefined): string | undefined {
  return typeof value === "object" ? value.reveal() : undefined;
}

describe("a value that is nested deeper than 64 levels", () => {
  const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;

  test.each([65, 2_000, 5_000, 200_000])("is left out with a diagnostic, with %i levels", async (levels) => {
    const { load, home } = await projectAndHome({
      [HOME]: `{"skills": {"values": {"deep": ${nested(levels)}, "kept": 1},
        "entries": {"demo": {"config": {"deep": ${nested(levels)}, "kept": 2}}}}}`,
    });
    const { configuration, diagnostics } = await load();
    expect(configuration.skills.settings).toMatchObject({
      values: { kept: 1 },
      skills: { demo: { config: { kept: 2 } } },
    });
    expect(configuration.skills.settings.values).not.toHaveProperty("deep");
    expect(diagnostics.map(({ code }) => code)).toEqual(["configuration.too-deep", "configuration.too-deep"]);
    expect(diagnostics.map(({ message }) => message.includes(home))).toEqual([true, true]);
  });

  test("is accepted with 64 levels", async () => {
    const { load } = await projectAndHome({ [HOME]: `{"skills": {"values": {"deep": ${nested(64)}}}}` });
    const { configuration, diagnostics } = await load();
    expect(configuration.skills.settings.values).toHaveProperty("deep");
    expect(diagnostics).toEqual([]);
  });

  test("is CONFIG_INVALID in a field of another type", async () => {
    const { load } = await projectAndHome({ [HOME]: `{"skills": {"allow": ${nested(200_000)}}}` });
    const failed = await load().catch((error: unknown) => error);
    expect(SkillError.is(failed, "CONFIG_INVALID")).toBe(true);
    expect((failed as Error).message).toContain("skills.allow.0");
  });
});

test("a secret that is too weak to be masked is reported by name, without its value", async () => {
  const { load } = await projectAndHome({
    [HOME]: {
      skills: {
        entries: {
          demo: { api_key: "test", env: { A: { from: "A_VALUE" }, B: { from: "B_VALUE" }, PLAIN: "x" } },
        },
      },
    },
  });
  const { diagnostics } = await load({ A_VALUE: "1212121212", B_VALUE: "a-long-and-good-one" });
  expect(diagnostics.map(({ code, message }) => `${code} ${/`(.*?)`/.exec(message)?.[1]}`)).toEqual([
    "secret.too-plain skills.entries.demo.env.A",
    "secret.too-short skills.entries.demo.api_key",
  ]);
  expect(JSON.stringify(diagnostics)).not.toMatch(/test|1212/);
});
