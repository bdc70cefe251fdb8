import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SKILL_STATE_KEYS, type SkillCatalog, type WatchableSkillRepository } from "@skillwright/core";
import { fsRepository } from "@skillwright/repository-fs";
import { skillBox } from "@skillwright/skillbox";
import { skillToolset } from "@skillwright/tools";
import { describe, expect, onTestFinished, test } from "vitest";
import { callContext, caller, refusalOf, session, skillFile } from "./example-skills.js";
import { realWorkspaces } from "./real-workspaces.js";

const header = `metadata:
  openclaw:
    requires:
      bins: [sh]
`;
const executable = `executable:
  runtime: sh
  entry: say.sh
`;

/** Two folders of skills, `own` over `team`; some skills have another name than their folder. */
async function setUp({ trusted = true, watched = false } = {}) {
  const root = await mkdtemp(join(tmpdir(), "skillwright-look-"));
  onTestFinished(async () => await rm(root, { recursive: true, force: true }));
  for (const [folder, name, more] of [
    ["own/alpha", "alpha", header],
    ["own/somewhere/else", "beta", executable],
    ["team/gamma", "gamma", ""],
    ["team/other", "delta", ""],
  ] as const) {
    await mkdir(join(root, folder), { recursive: true });
    await writeFile(join(root, folder, "SKILL.md"), skillFile(name, more));
    await writeFile(join(root, folder, "guide.md"), "The guide.");
    await writeFile(join(root, folder, "say.sh"), `echo ${name}\n`);
  }
  const counts = { lists: 0 };
  const counted = (folder: string): WatchableSkillRepository => {
    const repository = fsRepository({ root: join(root, folder), watch: { stableMs: 20 } });
    onTestFinished(() => repository.close());
    return {
      ...repository,
      list(options) {
        counts.lists++;
        return repository.list(options);
      },
    };
  };
  const skills = skillBox({
    own: { repository: counted("own"), trusted },
    team: { repository: counted("team"), trusted },
  });
  onTestFinished(() => skills.close());
  if (watched) await watch(skills, counts);
  const workspaces = await realWorkspaces(skills);
  const toolset = skillToolset({
    skills,
    workspaces,
    calls: true,
    interactive: true,
    approval: async () => ({ allowed: true }),
  });
  const call = caller(toolset.tools);
  const write = (path: string, content: string) => writeFile(join(root, path), content);

  /** The number of listings during the work. */
  async function listed<T>(work: () => Promise<T>): Promise<{ lists: number; result: T }> {
    const before = counts.lists;
    const result = await work();
    return { lists: counts.lists - before, result };
  }

  return { root, skills, workspaces, toolset, call, write, listed };
}

/** Waits until the watches have started. */
async function watch(skills: SkillCatalog, counts: { readonly lists: number }): Promise<void> {
  const watching = skills.subscribe(() => undefined);
  onTestFinished(() => watching.close());
  const listings = async (): Promise<number> => {
    const before = counts.lists;
    await skills.snapshot();
    return counts.lists - before;
  };
  await expect.poll(listings).toBe(0);
}

const loaded = callContext({
  state: { [SKILL_STATE_KEYS.loaded("alpha")]: "1", [SKILL_STATE_KEYS.loaded("beta")]: "1" },
});

const NAMING: readonly [string, object][] = [
  ["skill_load", { skill: "alpha" }],
  ["skill_load", { skill: "beta", include_all_docs: true }],
  ["skill_list_docs", { skill: "gamma" }],
  ["skill_select_docs", { skill: "delta", docs: ["guide.md"] }],
  ["skill_run", { skill: "alpha", command: "sh say.sh" }],
  ["skill_run", { skill: "delta", command: "sh say.sh" }],
  [
    "skill_run",
    {
      skill: "gamma",
      command: "sh say.sh",
      inputs: [{ from: "skill://beta/guide.md", to: "work/guide.md" }],
    },
  ],
  ["skill_call", { skill: "beta" }],
  ["skill_start", { skill: "delta", command: "sh say.sh" }],
  ["workspace_run", { command: "true" }],
];

describe.each([
  ["of trusted sources", true],
  ["of untrusted sources", false],
])("a call that names a skill, %s,", (_sources, trusted) => {
  test.each(NAMING)("%s %j lists no repository", async (tool, input) => {
    const { call, skills, listed } = await setUp({ trusted });
    await skills.snapshot();
    const first = await listed(() => call(tool, input, loaded));
    expect(first.result).toMatchObject({ isError: false });
    // The next run would be refused while this one is still in progress.
    const { run_id: runId } = Object(first.result.output) as { readonly run_id?: string };
    if (runId !== undefined) await call("skill_stop", { run_id: runId }, loaded);
    const second = await listed(() => call(tool, input, loaded));
    expect(second.result).toMatchObject({ isError: false });
    expect([first.lists, second.lists]).toEqual([0, 0]);
  });
});

test("a run beside skills staged by earlier runs lists no repository", async () => {
  const { call, skills, listed } = await setUp();
  await skills.snapshot();
  const { lists } = await listed(async () => {
    for (const skill of ["alpha", "beta", "gamma", "delta", "alpha"])
      expect(await call("skill_run", { skill, command: "sh say.sh" })).toMatchObject({
        isError: false,
        output: { stdout: `${skill}\n` },
      });
  });
  expect(lists).toBe(0);
});

test("the tools of loaded skills are shown and called without a listing", async () => {
  const { toolset, skills, listed } = await setUp();
  await skills.snapshot();
  const { lists, result } = await listed(async () => {
    const [tool] = await toolset.loadedTools(loaded);
    return [tool?.name, await tool?.execute({}, loaded)];
  });
  expect(result).toMatchObject(["run_beta", { isError: false, output: { stdout: "beta\n" } }]);
  expect(lists).toBe(0);
});

test("an unknown name costs one listing of each repository", async () => {
  const { call, skills, listed } = await setUp();
  await skills.snapshot();
  for (const [name, near] of [
    ["alhpa", "alpha"],
    ["zzz", "alpha"],
  ] as const) {
    const { lists, result } = await listed(() => call("skill_load", { skill: name }));
    expect(refusalOf(result)).toMatchObject({
      code: "SKILL_NOT_FOUND",
      message: expect.stringContaining(`"${near}"`),
    });
    expect(lists).toBe(2);
  }
});

test.each([false, true])(
  "skill_list lists each repository once, and none that is watched: %s",
  async (watched) => {
    const { call, listed } = await setUp({ watched });
    const { lists, result } = await listed(() => call("skill_list", {}));
    expect(result).toMatchObject({
      output: { skills: ["alpha", "beta", "delta", "gamma"].map((name) => ({ name })) },
    });
    expect(lists).toBe(watched ? 0 : 2);
  },
);

test("a watched catalogue is listed again by the next snapshot after a change", async () => {
  const { skills, write, listed } = await setUp({ watched: true });
  await write("team/other/SKILL.md", skillFile("delta", "license: MIT\n"));
  const { lists, result } = await listed(() => skills.snapshot());
  expect(result.skills.find(({ name }) => name === "delta")?.frontmatter).toMatchObject({ license: "MIT" });
  expect(lists).toBeGreaterThan(0);
});

describe("without a listing", () => {
  test.each([
    ["own/alpha/say.sh", "alpha"],
    ["own/somewhere/else/say.sh", "beta"],
  ])("a change of %s is run by the next call", async (path, skill) => {
    const { call, skills, write } = await setUp();
    await skills.snapshot();
    await call("skill_run", { skill, command: "sh say.sh" });
    await write(path, "echo changed\n");
    expect(await call("skill_run", { skill, command: "sh say.sh" })).toMatchObject({
      output: { stdout: "changed\n" },
    });
  });

  test("a skill that was removed, moved or renamed is noticed", async () => {
    const { root, call, skills, write } = await setUp();
    await skills.snapshot();
    await rm(join(root, "own/alpha"), { recursive: true });
    const gone = refusalOf(await call("skill_run", { skill: "alpha", command: "sh say.sh" }));
    expect(gone.code).toBe("SKILL_NOT_FOUND");
    await write("own/somewhere/else/SKILL.md", skillFile("epsilon"));
    expect(await call("skill_load", { skill: "epsilon" })).toMatchObject({ isError: false });
    expect(refusalOf(await call("skill_load", { skill: "beta" })).code).toBe("SKILL_NOT_FOUND");
  });

  test("a file that changes after the skill was approved does not run", async () => {
    const { skills, workspaces, write } = await setUp({ trusted: false });
    await skills.snapshot();
    const approval = async () => {
      await write("team/other/say.sh", "echo changed behind the yes\n");
      return { allowed: true };
    };
    const call = caller(skillToolset({ skills, workspaces, approval }).tools);
    const result = await call("skill_run", { skill: "delta", command: "sh say.sh > out/ran.txt" });
    expect(refusalOf(result)).toMatchObject({ code: "DIGEST_MISMATCH", retry: true });
    const { id } = await workspaces.forSession(session);
    expect(await workspaces.files(id, "out")).toEqual([]);
  });
});
