import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readText } from "@skillwright/core";
import { expect, onTestFinished, test } from "vitest";
import { openStores } from "../src/terminal/open-stores.js";

const scope = { app: "agent", user: "local", session: "plan" };

test("conversations and artifacts in a SQLite file are there after a restart", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "skillwright agent-"));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  const place = "sqlite:data/agent.sqlite";
  const options = { artifacts: place, metadata: place, lock: undefined, session: "plan" };
  const first = await openStores(options, { env: {}, cwd, home: cwd });
  await first.sessions.update(scope, { from: 0, append: ["hello"] });
  await first.artifacts.save(scope, "report.md", "text");
  await first.close();

  const second = await openStores(options, { env: {}, cwd, home: cwd });
  onTestFinished(() => second.close());
  expect((await second.sessions.get(scope))?.history).toEqual(["hello"]);
  const { content } = await second.artifacts.open(scope, "report.md");
  expect(await readText(content, 100)).toBe("text");
  expect(second.outputs).toBe(join(cwd, "artifacts"));
});
