import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { fsContentStore } from "@skillwright/repository-fs";
import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { describe, expect, test } from "vitest";
import { workspaceManager } from "../src/index.js";
import { SESSION, testIsolations, workspaceFixture } from "./workspace-fixture.js";

const READER = {
  "SKILL.md": "---\nname: reader\ndescription: Reads its files.\n---\nRun it.\n",
  "read.sh": 'echo up; until [ -e "$WORK_DIR/go" ]; do sleep 0.02; done; cat part.txt; ls\n',
  "part.txt": "first\n",
};
const OTHER = { "SKILL.md": "---\nname: other\ndescription: Is another.\n---\nRun it.\n" };
const uploaded = (files: Record<string, string>) =>
  Object.entries(files).map(([file, content]) => ({ path: file, content }));

describe.each(await testIsolations())("concurrent sessions, isolation %s", (isolation) => {
  test("STAGE-04: staging and removing in one session never removes the tree that another one reads", async () => {
    const repository = memoryRepository({ skills: { reader: READER, other: OTHER } });
    await using fixture = await workspaceFixture(isolation, { skills: skillBox({ own: repository }) });
    const content = fsContentStore({ root: path.join(fixture.directory, "content") });
    await using workspaces = workspaceManager({ ...fixture, content });
    const a = (await workspaces.forSession(SESSION)).id;
    const b = (await workspaces.forSession({ ...SESSION, session: "s2" })).id;
    for (const id of [a, b]) await workspaces.run(id, { skill: "reader", command: "true" });
    const former = (await fixture.skills.load("reader")).digest;
    const begun = new AbortController();
    const reading = workspaces.run(
      a,
      { skill: "reader", command: "sh read.sh" },
      { onEvent: ({ type }) => type === "run.output" && begun.abort() },
    );
    await new Promise((resolve) => begun.signal.addEventListener("abort", resolve));

    await repository.upload(uploaded({ ...READER, "part.txt": "second\n" }));
    const changed = await workspaces.run(b, { skill: "reader", command: "cat part.txt" });
    expect(changed.stdout.text).toBe("second\n");
    await repository.delete("reader");
    expect((await workspaces.run(b, { skill: "other", command: "ls .." })).stdout.text).toBe("other\n");
    expect(await content.collect((owner) => owner === a || owner === b)).not.toContain(former);
    await workspaces.destroy(b);

    await workspaces.write(a, "work/go", "");
    expect((await reading).stdout.text).toMatch(/^up\nfirst\nSKILL\.md\n[\s\S]*part\.txt\nread\.sh\n/);
  });

  test("CONC-03: of concurrent runs in many sessions that share skills each finds them complete", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [`data/${at % 7}/${at}.txt`, `${at}\n`]),
    );
    const repository = memoryRepository({
      skills: { reader: { ...READER, ...many }, other: { ...OTHER, ...many } },
    });
    await using fixture = await workspaceFixture(isolation, { skills: skillBox({ own: repository }) });
    const content = fsContentStore({ root: path.join(fixture.directory, "content") });
    await using workspaces = workspaceManager({ ...fixture, content });
    const run = async (at: number) => {
      const { id } = await workspaces.forSession({ ...SESSION, session: `s${at % 4}` });
      const command = "find data -type f | wc -l; cat data/*/* | sort -n | tail -1";
      return (await workspaces.run(id, { skill: at % 2 ? "other" : "reader", command })).stdout.text;
    };
    const results = await Promise.all(Array.from({ length: 12 }, (_, at) => run(at)));
    expect(new Set(results)).toEqual(new Set(["60\n59\n"]));
  });
});

test("LIFE-04: a user called a/b@x gets a hashed folder, different from that of a similar name", async () => {
  await using fixture = await workspaceFixture("none");
  const users = ["a/b@x", "a_b@x", "../a", "a"];
  const sessions = await Promise.all(
    users.map((user) => fixture.workspaces.forSession({ ...SESSION, user })),
  );
  const ids = sessions.map(({ id }) => id);
  for (const id of ids) expect(id).toMatch(/^ws_[0-9a-f]{32}$/);
  expect(new Set(ids).size).toBe(users.length);
  expect(existsSync(path.join(fixture.directory, "a"))).toBe(false);
  expect(readdirSync(path.join(fixture.directory, "workspaces")).join(" ")).not.toMatch(/@|a_b/);
  expect((await fixture.workspaces.forSession({ ...SESSION, user: "a/b@x" })).id).toBe(ids[0]);
});
