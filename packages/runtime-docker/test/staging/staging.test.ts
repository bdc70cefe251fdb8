import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { failsWith } from "@skillwright/contracts";
import type { FileEntry, StagedSkill } from "@skillwright/core/adapter";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { WorkspaceContainer } from "../../src/container/workspace-container.js";
import { INCOMING, META } from "../../src/container/workspace-container.js";
import { workspaceSkills } from "../../src/staging/workspace-skills.js";
import { type ContainerPlace, containerPlace, told } from "../container/container-place.js";
import { engines } from "../engine-setup/engines.js";

function skill(
  name: string,
  version: number,
  files: Readonly<Record<string, FileEntry["content"]>> = {},
): StagedSkill {
  const all = { "SKILL.md": `version ${version}`, ...files };
  return {
    name,
    digest: `sha256:${version}`,
    files: async function* () {
      for (const [path, content] of Object.entries(all)) yield { path, content };
    },
  };
}

describe.each(await engines())("staging on $name", (engine) => {
  let place: ContainerPlace;
  let container: WorkspaceContainer;

  beforeEach(async () => {
    place = await containerPlace(engine);
    container = await place.make("w1");
  });

  afterEach(() => place[Symbol.asyncDispose]());

  const said = (script: string, as: "run" | "root" = "run") =>
    told(container, `cd /skillwright/workspace/skills; ${script}`, as);

  test("the record is read again by others after every kind of change, and only then", async () => {
    const [one, two] = [workspaceSkills(container), workspaceSkills(container)];
    const look = async () => [new Map([...((await two.staged()) ?? [])].sort()), await two.notes()];
    expect(await look()).toEqual([new Map(), new Map()]);
    await one.stage(skill("a", 1));
    expect(await look()).toEqual([new Map([["a", "sha256:1"]]), new Map()]);
    await two.stage(skill("b", 1));
    await one.stage(skill("a", 2));
    await one.note("k", "text");
    expect(await look()).toEqual([
      new Map([
        ["a", "sha256:2"],
        ["b", "sha256:1"],
      ]),
      new Map([["k", "text"]]),
    ]);
    await two.unstage("b");
    await two.note("k", undefined);
    expect([await one.staged(), await one.notes()]).toEqual([new Map([["a", "sha256:2"]]), new Map()]);
    expect(await said("ls; cat a/SKILL.md")).toBe("a\nversion 2");
    expect(await told(container, `ls -A ${INCOMING}`, "root")).toBe("");
  });

  test("concurrent changes of many to different items are all kept", async () => {
    const many = Array.from({ length: 4 }, () => workspaceSkills(container));
    await Promise.all(
      many.map(async (skills, index) => {
        await skills.stage(skill(`s${index}`, index));
        await skills.note(`k${index}`, `${index}`);
      }),
    );
    const fresh = workspaceSkills(container);
    expect((await fresh.staged())?.size).toBe(4);
    expect((await fresh.notes())?.size).toBe(4);
  });

  test("notes store any text, up to a limit, under any key", async () => {
    const skills = workspaceSkills(container);
    const texts = ["", "a\0b", "line\nline", "é€😀", "'; rm -rf / #", "x".repeat(200_000), "\ud800"];
    for (const [index, text] of texts.entries()) await skills.note(`key/${index} '"\n`, text);
    const expected = texts.map((text, index) => [`key/${index} '"\n`, text] as const);
    expect(await workspaceSkills(container).notes()).toEqual(new Map(expected));
    await failsWith(skills.note("k", "x".repeat(2_000_000)), "LIMIT_EXCEEDED");
  });

  test("leftovers of a skill are replaced completely, not added to", async () => {
    await said("mkdir left; echo old > left/old", "root");
    const skills = workspaceSkills(container);
    await skills.stage(skill("left", 1));
    expect(await said("ls left")).toBe("SKILL.md\ninputs\nout\nwork");
    expect(await skills.staged()).toEqual(new Map([["left", "sha256:1"]]));
  });

  test("a skill that brings its own out/ keeps it, and large files and odd names are complete", async () => {
    const skills = workspaceSkills(container);
    const long = `${"long name ".repeat(20)}é/${"n".repeat(200)}.txt`;
    async function* large() {
      for (let i = 0; i < 6; i++) yield Buffer.alloc(1024 * 1024, 65 + i);
    }
    await skills.stage(skill("own", 1, { "out/keep": "own", [long]: "long", large: large() }));
    expect(
      await said(
        `cat own/out/keep "own/${long}"; wc -c < own/large; tail -c 1 own/large; ls -ld own/out | cut -c1`,
      ),
    ).toBe(`ownlong${6 * 1024 * 1024}\nFd`);
  });

  test("LINK-07: links in a skill's directory on this machine are not followed into the container", async () => {
    const directory = await mkdtemp(join(tmpdir(), "skillwright-staging-"));
    try {
      await mkdir(join(directory, "scripts"));
      await writeFile(join(directory, "scripts", "run.sh"), "echo ran", { mode: 0o755 });
      await symlink("/etc/passwd", join(directory, "passwd"));
      await symlink("../../out", join(directory, "out"));
      await workspaceSkills(container).stage({ ...skill("linked", 1), directory });
      expect(await said("ls linked; sh linked/scripts/run.sh; readlink linked/out")).toBe(
        "inputs\nout\nscripts\nwork\nran\n../../out",
      );
      const gone = { ...skill("gone", 1), directory: join(directory, "gone") };
      await failsWith(workspaceSkills(container).stage(gone), "INPUT_INVALID");
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  test("CONC-03: replacing a skill during a command is atomic, and no partial state is visible", async () => {
    const skills = workspaceSkills(container);
    const version = (n: number) =>
      skill("demo", n, Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`f${i}`, `${n}`])));
    await skills.stage(version(1));
    const watching = said(
      'i=0; while [ $i -lt 400 ]; do s=$(cd demo 2>/dev/null && cat f* 2>/dev/null); [ -z "$s" ] || echo "$s"; i=$((i+1)); done | sort -u',
    );
    for (const n of [2, 3, 4]) await skills.stage(version(n));
    const seen = (await watching).split("\n").filter(Boolean);
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.filter((text) => !/^(1+|2+|3+|4+)$/.test(text))).toEqual([]);
    expect(await said("cat demo/f*")).toBe("4".repeat(30));
  });

  test("no command can reach the record, or change a staged skill", async () => {
    await workspaceSkills(container).stage(skill("demo", 1));
    const attempts = [
      `cat ${META}/revision`,
      `ls ${META}`,
      `touch ${META}/x`,
      "touch demo/x",
      "rm -rf demo",
      "mv demo x",
    ];
    for (const attempt of attempts)
      expect(await said(`${attempt} 2>/dev/null && echo WENT || true`)).toBe("");
    expect(await said("ls demo")).toBe("SKILL.md\ninputs\nout\nwork");
  });
});
