import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SkillRepository } from "@skillwright/core";
import { fsRepository } from "@skillwright/repository-fs";
import { skillBox } from "@skillwright/skillbox";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  openPlace,
  type SkillPlace,
  type StandardPlacesInput,
  sourceClients,
  standardPlaces,
  wasAsked,
} from "../../src/index.js";

let root: string;
let input: StandardPlacesInput;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "skillwright-test-"));
  input = { project: join(root, "project"), home: join(root, "home"), bundled: join(root, "bundled") };
});
afterEach(async () => await rm(root, { recursive: true, force: true }));

async function skill(folder: string, name: string): Promise<void> {
  await mkdir(join(root, folder, name), { recursive: true });
  await writeFile(
    join(root, folder, name, "SKILL.md"),
    `---\nname: ${name}\ndescription: Of ${folder}.\n---\n`,
  );
}

async function npmPackage(name: string, manifest: object): Promise<void> {
  await mkdir(join(root, "project/node_modules", name), { recursive: true });
  await writeFile(join(root, "project/node_modules", name, "package.json"), JSON.stringify(manifest));
}

async function catalogue(more: Partial<StandardPlacesInput> = {}) {
  const places = (await standardPlaces({ ...input, ...more })).filter(({ found }) => found);
  return skillBox(
    Object.fromEntries(
      places.map(({ source, root: place, trusted }) => [
        source,
        { repository: fsRepository({ root: place }), trusted },
      ]),
    ),
  );
}

test("places have their order of precedence: given, SKILLS_ROOT, project, user, plugins, packages, bundled", async () => {
  await mkdir(input.project);
  const dependencies = { "with-field": "1", "@scope/keyword": "1", plain: "1", climbing: "1", absent: "1" };
  await writeFile(join(input.project, "package.json"), JSON.stringify({ dependencies }));
  await npmPackage("with-field", { skillwright: { skills: "./agent/skills/" } });
  await npmPackage("@scope/keyword", { keywords: ["agent-skills"] });
  await npmPackage("plain", {});
  await npmPackage("climbing", { skillwright: { skills: "../../secret" } });
  await npmPackage("transitive", { keywords: ["agent-skills"] });
  for (const plugin of ["project", "home"])
    await skill(`${plugin}/.skillwright/plugins/tables/skills`, "sum");
  const places = await standardPlaces({ ...input, given: ["mine"], skillsRoot: "team" });
  expect(places.map(({ source, trusted }) => `${source}${trusted ? "" : " (asks)"}`)).toEqual([
    "--skills mine",
    "SKILLS_ROOT team",
    "project .skillwright/skills (asks)",
    "project .agents/skills (asks)",
    "project .claude/skills (asks)",
    "home ~/.skillwright/skills",
    "home ~/.agents/skills",
    "home ~/.claude/skills",
    "project plugin tables (asks)",
    "plugin tables",
    "package @scope/keyword (asks)",
    "package with-field (asks)",
    "bundled",
  ]);
  expect(places.filter(({ found }) => found).map(({ kind }) => kind)).toEqual(["plugin", "plugin"]);
});

test("SKILLS_ROOT lists folders and remote sources, whose credentials are not shown (LIST-30)", async () => {
  const skillsRoot = "team:https://u:secret@example.com:8443/x.zip?key=1:s3://bucket/p";
  const places = await standardPlaces({ ...input, skillsRoot, kinds: ["environment"] });
  expect(places.map(({ source, remote, found }) => [source, remote, found])).toEqual([
    ["SKILLS_ROOT team", undefined, false],
    ["SKILLS_ROOT https://example.com:8443/x.zip", "https://u:secret@example.com:8443/x.zip?key=1", true],
    ["SKILLS_ROOT s3://bucket/p", "s3://bucket/p", true],
  ]);
  await expect(standardPlaces({ ...input, skillsRoot: "ftp://a.example/b" })).rejects.toMatchObject({
    code: "CONFIG_INVALID",
    message: expect.stringContaining("ftp://a.example/b"),
  });
});

test("LIST-08, LIST-07: the user's skill hides the bundled one of the same name, with a diagnostic", async () => {
  await skill("home/.skillwright/skills", "a");
  await skill("bundled", "a");
  const { skills, diagnostics } = await (await catalogue()).snapshot();
  expect(skills).toMatchObject([{ name: "a", source: "home ~/.skillwright/skills" }]);
  expect(diagnostics.map(({ code }) => code)).toContain("skill.shadowed");
});

test("LIST-08: a project's skill does not hide a trusted one", async () => {
  await skill("project/.skillwright/skills", "a");
  await skill("home/.skillwright/skills", "a");
  expect((await (await catalogue()).load("a")).source).toBe("home ~/.skillwright/skills");
});

test("LIST-09: a directory that the user named hides bundled skills, with a diagnostic", async () => {
  await skill("team", "a");
  await skill("bundled", "a");
  const named = { name: "team", source: "./team", cwd: root, trusted: true };
  for (const more of [
    { given: ["../team"] },
    { skillsRoot: join(root, "team") },
    { repositories: [named] },
  ]) {
    const { skills, diagnostics } = await (await catalogue(more)).snapshot();
    expect(skills).toMatchObject([{ name: "a", description: "Of team." }]);
    expect(diagnostics).toMatchObject([
      { code: "skill.shadowed", message: expect.stringContaining('"bundled"') },
    ]);
  }
});

test("LIST-10: with the kind user alone the project's skills are absent", async () => {
  await skill("project/.skillwright/skills", "a");
  await skill("home/.skillwright/skills", "b");
  const { skills } = await (await catalogue({ kinds: ["user"] })).snapshot();
  expect(skills.map(({ name }) => name)).toEqual(["b"]);
});

test("LIST-11: without any directory the catalogue is empty, without an error", async () => {
  expect(await (await catalogue()).snapshot()).toMatchObject({ skills: [], broken: [], diagnostics: [] });
});

test("a directory that is found twice has its highest precedence; in the home directory nothing counts as a project's", async () => {
  await skill("home/.agents/skills", "a");
  await symlink(join(root, "home/.agents/skills"), join(root, "linked"));
  const given = await standardPlaces({ ...input, given: [join(root, "linked")] });
  expect(given.filter(({ found }) => found).map(({ kind }) => kind)).toEqual(["given"]);
  const home = await standardPlaces({ ...input, project: join(root, "home") });
  expect(home.filter(({ found }) => found)).toMatchObject([{ kind: "user", trusted: true }]);
});

test("places whose addresses differ only in their query are all searched", async () => {
  const given = [
    "https://example.com/dl?n=1.zip",
    "https://example.com/dl?n=2.zip",
    "./a?1.zip",
    "./a?2.zip",
  ];
  const places = await standardPlaces({ ...input, given: [...given, given[0] as string], kinds: [] });
  expect(places.map(({ source }) => source)).toEqual([
    "--skills https://example.com/dl",
    "--skills https://example.com/dl (2)",
    "--skills ./a?1.zip",
    "--skills ./a?2.zip",
  ]);
});

test("remote sources and repositories of the configuration are used whatever kinds are wanted", async () => {
  await skill("shared", "sum");
  const places = await standardPlaces({
    ...input,
    given: ["s3://team/skills", "gone"],
    repositories: [
      { name: "shared", source: "./shared", cwd: root, trusted: false },
      { name: "site", source: "https://ada:geheim@example.com/skills.zip", cwd: root, trusted: true },
    ],
    kinds: [],
  });
  expect(
    places.map(({ kind, source, root: at, remote, trusted, found }) => [
      kind,
      source,
      at,
      remote,
      trusted,
      found,
    ]),
  ).toEqual([
    ["given", "--skills s3://team/skills", "s3://team/skills", "s3://team/skills", true, true],
    ["given", "--skills gone", join(root, "project/gone"), undefined, true, false],
    ["repository", "repository shared", join(root, "shared"), undefined, false, true],
    [
      "repository",
      "repository site",
      "https://example.com/skills.zip",
      "https://ada:geheim@example.com/skills.zip",
      true,
      true,
    ],
  ]);
  expect(places.filter(wasAsked)).toHaveLength(4);
});

test("folders of OpenClaw and PicoBot are searched where they exist, with the trust of project and home (LIST-31)", async () => {
  await skill("home/.openclaw/skills", "managed");
  await skill("home/.picobot/skills", "own");
  await skill("project/.clawdbot/skills", "workspace");
  const places = await standardPlaces({ ...input, kinds: ["project", "user"] });
  expect(
    places.filter(({ found }) => found).map(({ source, trusted }) => `${source}${trusted ? "" : " (asks)"}`),
  ).toEqual(["project .clawdbot/skills (asks)", "home ~/.openclaw/skills", "home ~/.picobot/skills"]);
  expect(places).toHaveLength(9);
});

test("a Markdown file with a header is a skill in the folders of project, user and plugins (LIST-32)", async () => {
  const folders = [
    "home/.openclaw/skills",
    "project/.clawdbot/skills",
    "home/.skillwright/plugins/me/skills",
  ];
  for (const [index, folder] of [...folders, "given"].entries()) {
    await mkdir(join(root, folder), { recursive: true });
    await writeFile(join(root, folder, "README.md"), "# Skills\n");
    await writeFile(
      join(root, folder, `review-${index}.md`),
      `---\nname: review-${index}\ndescription: Reviews.\n---\n`,
    );
  }
  const places = (await standardPlaces({ ...input, given: [join(root, "given")] })).filter(
    ({ found }) => found,
  );
  const { skills, broken, diagnostics } = await (await opened(places)).snapshot();
  expect(skills.map(({ name, trusted }) => [name, trusted])).toEqual([
    ["review-0", true],
    ["review-1", false],
    ["review-2", true],
  ]);
  expect(broken).toEqual([]);
  expect(diagnostics.filter(({ severity }) => severity !== "info")).toEqual([]);
});

async function opened(places: readonly SkillPlace[]) {
  const clients = sourceClients({});
  const sources: Record<string, { repository: SkillRepository; trusted: boolean }> = {};
  for (const place of places)
    sources[place.source] = {
      repository: await openPlace(place, { cwd: root, clients }),
      trusted: place.trusted,
    };
  return skillBox(sources);
}

test("places whose names are shortened or written to the same text have different names", async () => {
  const end = "a-folder-with-a-very-long-name/and-another-one-of-them/skills";
  const given = [`one/${end}`, `two/${end}`];
  for (const [index, folder] of given.entries()) await skill(`project/${folder}`, `given-${index}`);
  for (const name of ["x", "x ", "x\u0007"])
    await skill(
      `project/.skillwright/plugins/${name}/skills`,
      `of-${[...name].length}${name.at(-1) === " "}`,
    );
  const places = (await standardPlaces({ ...input, given })).filter(({ found }) => found);
  const names = places.map(({ source }) => source);
  expect(new Set(names).size).toBe(5);
  expect(names.every((name) => [...name].length <= 64)).toBe(true);
  expect(names.slice(2)).toEqual(["project plugin x", "project plugin x\\u{7}", "project plugin x (2)"]);
  expect((await (await opened(places)).snapshot()).skills).toHaveLength(5);
});
