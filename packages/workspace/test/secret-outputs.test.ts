import { Secret } from "@skillwright/core";
import { describe, expect, test } from "vitest";
import { SESSION, seesPipes, testIsolations, workspaceFixture } from "./workspace-fixture.js";

const KEY = "sk-77aa88bb99cc";
const QUOTED = `pass"word'of ours`;

describe.each(await testIsolations())("secrets of a run, isolation %s", (isolation) => {
  test("are masked in inlined files", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { id } = await fixture.workspaces.forSession(SESSION);
    const { outputs } = await fixture.workspaces.run(id, {
      command: `echo "key=$KEY" > out/a.txt; set -x; : "$QUOTED" 2> /dev/null`,
      env: { KEY: new Secret(KEY), QUOTED: new Secret(QUOTED) },
      outputs: { globs: ["out/**"], inline: true },
    });
    expect(outputs.map(({ content }) => content)).toEqual(["key=***\n"]);
  });

  test("are masked in the shell's trace, including quotes", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { id } = await fixture.workspaces.forSession(SESSION);
    const { stderr } = await fixture.workspaces.run(id, {
      command: `set -x; : "$QUOTED"`,
      env: { QUOTED: new Secret(QUOTED) },
    });
    expect(stderr.text).toContain("***");
    expect(stderr.text).not.toMatch(/pass|word|ours/);
  });

  test("occur in no diagnostic, event, list or store where a file is named after one", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { id } = await fixture.workspaces.forSession(SESSION);
    const result = await fixture.workspaces.run(
      id,
      {
        command: `echo x > "out/$KEY.txt"; ln -s nowhere "out/link-$KEY"; mkfifo "out/pipe-$KEY"; echo y > out/b.txt`,
        env: { KEY: new Secret(KEY) },
        outputs: { globs: ["out/**", "work/none"], inline: true, save: true },
      },
      { onEvent: fixture.onEvent },
    );
    expect(result.outputs.map(({ path }) => path)).toEqual(["out/b.txt"]);
    const told = result.diagnostics.filter(({ code }) => code.startsWith("output."));
    expect(told.map(({ code, path }) => `${code} ${path}`).sort()).toEqual([
      "output.link-skipped out/link-***",
      "output.secret-name out/***.txt",
      ...(seesPipes(isolation) ? ["output.special-skipped out/pipe-***"] : []),
    ]);
    const saved = await fixture.artifacts.list(SESSION);
    expect(saved).toHaveLength(1);
    expect(JSON.stringify([result, fixture.events, saved])).not.toContain(KEY);
  });
});
