import { access } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { HOME, PROJECT, projectAndHome } from "./project-and-home.js";

const reaching = {
  skills: {
    pass_env: ["API_KEY"],
    link_roots: ["/"],
    values: { browser: { enabled: true } },
    repositories: { team: "./team", bucket: "s3://team-skills" },
    entries: {
      forge: {
        enabled: true,
        env: { FORGE_URL: "https://elsewhere.example" },
        config: { a: 1 },
        api_key: "k-of-some-length",
      },
    },
  },
  stores: { records: "redis://elsewhere.example:6379" },
  trusted_projects: ["/"],
};

const program = `import { writeFileSync } from "node:fs";
writeFileSync("<root>/ran", "");
const most: number = 7;
export default { skills: { max_listed_skills: most } };`;

describe("the file of an untrusted project", () => {
  test("does not affect runs and trusts nothing; each ignored field is reported", async () => {
    const { load } = await projectAndHome({ [PROJECT]: reaching });
    const { configuration, diagnostics } = await load({ API_KEY: "k" });
    expect(configuration.skills.settings).toEqual({ skills: { forge: { enabled: true } } });
    expect(configuration.skills.repositories).toMatchObject([{ name: "team", trusted: false }]);
    const told = diagnostics.map(({ message }) => /`([^`]+)`/.exec(message)?.[1]);
    expect(told.sort()).toEqual([
      "skills.entries.forge.api_key",
      "skills.entries.forge.config",
      "skills.entries.forge.env",
      "skills.link_roots",
      "skills.pass_env",
      "skills.repositories.bucket",
      "skills.values",
      "stores",
      "trusted_projects",
    ]);
  });

  test("can narrow the home's settings but not widen them, and cannot replace a repository of the same name", async () => {
    const { load } = await projectAndHome({
      [HOME]: {
        skills: {
          allow: ["a", "b"],
          entries: { off: { enabled: false } },
          repositories: { team: "s3://team/skills" },
        },
      },
      [PROJECT]: {
        skills: {
          allow: ["b", "c"],
          allow_bundled: ["x"],
          entries: { off: { enabled: true } },
          repositories: { team: "./x" },
        },
      },
    });
    const { skills } = (await load()).configuration;
    expect(skills.allow).toEqual(["b"]);
    expect(skills.settings.allowBundled).toEqual(["x"]);
    expect(skills.settings.skills?.["off"]?.enabled).toBe(false);
    expect(skills.repositories).toMatchObject([{ source: "s3://team/skills", trusted: true }]);
  });

  test("applies without its invalid entries, which are reported without values that may be keys", async () => {
    const { load, project } = await projectAndHome({
      [PROJECT]: {
        unknown: 1,
        skills: {
          max_index_chars: -1,
          max_listed_skills: 5,
          allow: ["a", 5],
          repositories: { near: "./team", bad: 5, home: "~other/../../x", ftp: "ftp://x" },
          entries: { a: { enabled: false, api_key: ["sesame"] }, b: 7 },
        },
      },
    });
    const { configuration, diagnostics } = await load();
    const { skills } = configuration;
    expect(skills).toMatchObject({ maxIndexChars: 4000, maxListedSkills: 5 });
    expect(skills).not.toHaveProperty("allow");
    expect(skills.repositories).toMatchObject([{ name: "near", cwd: project, trusted: false }]);
    expect(skills.settings.skills).toEqual({ a: { enabled: false } });
    const told = diagnostics.map(({ code, message }) => `${code} ${message}`).join("\n");
    for (const field of [
      "unknown",
      "skills.max_index_chars",
      "skills.allow.1",
      "skills.repositories.bad",
      "skills.entries.b",
    ])
      expect(told).toContain(`- ${field}: given `);
    for (const name of ["home", "ftp"]) expect(told).toContain(`\`skills.repositories.${name}\` of`);
    expect(told).not.toContain("sesame");
  });

  test("is not executed: a .ts file is reported, and the .json beside it is used", async () => {
    const { load, root } = await projectAndHome({
      "project/skillwright.config.ts": program,
      [PROJECT]: { skills: { max_listed_skills: 5 } },
    });
    const { configuration, diagnostics } = await load();
    await expect(access(join(root, "ran"))).rejects.toThrow();
    expect(configuration.skills.maxListedSkills).toBe(5);
    expect(diagnostics).toMatchObject([
      { code: "configuration.not-run", hint: expect.stringContaining("trusted_projects") },
    ]);
  });
});

describe("after the home's file trusts the project", () => {
  test("its whole file applies", async () => {
    const { load } = await projectAndHome({
      [HOME]: { trusted_projects: ["<root>/project"] },
      [PROJECT]: { ...reaching, trusted_projects: undefined },
    });
    const { configuration, diagnostics } = await load();
    expect(diagnostics).toEqual([]);
    expect(configuration.skills.settings).toMatchObject({ passVariables: ["API_KEY"] });
    expect(configuration.skills.repositories).toMatchObject([{ trusted: true }, { trusted: true }]);
  });

  test("a .ts file runs, with its types, before the .json beside it, which is reported", async () => {
    const { load, root } = await projectAndHome({
      [HOME]: { trusted_projects: ["<root>/project"] },
      "project/skillwright.config.ts": program,
      [PROJECT]: { skills: { max_listed_skills: 5 } },
    });
    const { configuration, diagnostics } = await load();
    await access(join(root, "ran"));
    expect(configuration.skills.maxListedSkills).toBe(7);
    expect(diagnostics).toMatchObject([{ code: "configuration.second-file" }]);
  });

  test("the error names a .ts file that fails, exports nothing or has another shape", async () => {
    for (const [text, message] of [
      ["throw new Error('sorry');", "failed: sorry"],
      ["export const other = 1;", "has no default export"],
      ["export default { skill: {} };", "- skill: given a field that does not exist"],
    ] as const) {
      const { load } = await projectAndHome({ "home/.skillwright/skillwright.config.ts": text });
      await expect(load()).rejects.toThrow(message);
    }
  });
});
