import { expect, test } from "vitest";
import { packedSnapshot } from "./snapshot-fixture.js";
import { ownDiagnostics, SESSION, workspaceFixture } from "./workspace-fixture.js";

const LEAVE = `ln -s nowhere out/link; mkfifo out/pipe; echo a > "$HOME/own"; ln "$HOME/own" out/second
: > out/empty; printf '%0100d' 0 > out/large; exit 3`;

test("a warning about one output file has its path", async () => {
  await using fixture = await workspaceFixture("none");
  const { id } = await fixture.workspaces.forSession(SESSION);
  const outputs = { globs: ["out/**"], inline: true, maxFileBytes: 10 };
  const { diagnostics } = await fixture.workspaces.run(id, { command: LEAVE, outputs });
  const told = ownDiagnostics(diagnostics).map(({ code, path }) => `${code} ${path}`);
  expect(told.sort()).toEqual([
    "output.cut out/large",
    "output.empty-after-failure out/empty",
    "output.hard-link-skipped out/second",
    "output.link-skipped out/link",
    "output.special-skipped out/pipe",
  ]);
});

test("a warning about a skill's own directory in place of a link has the directory's path", async () => {
  await using fixture = await workspaceFixture("none");
  const content = "---\nname: own\ndescription: Has its own.\n---\n";
  await fixture.repository.upload([
    { path: "SKILL.md", content },
    { path: "out/kept.txt", content: "kept" },
  ]);
  const { id } = await fixture.workspaces.forSession(SESSION);
  const { diagnostics } = await fixture.workspaces.run(id, { skill: "own", command: "true" });
  expect(ownDiagnostics(diagnostics)).toMatchObject([{ code: "skill-link.kept", path: "out" }]);
});

test("a warning about a file left out of a snapshot has its path", async () => {
  await using fixture = await workspaceFixture("none");
  const { id } = await fixture.workspaces.restore(await packedSnapshot([{ name: "work/a", content: "a" }]), {
    session: SESSION,
  });
  await fixture.workspaces.run(id, { command: 'ln -s nowhere "$HOME/link"' });
  const told = await fixture.workspaces.snapshot(id, async ({ content, diagnostics }) => {
    for await (const _ of content);
    return diagnostics;
  });
  expect(told).toMatchObject([{ code: "snapshot.left-out", path: "work/link" }]);
});
