import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStores as openConfigured } from "@skillwright/config";
import { readText } from "@skillwright/core";
import { recordSessions } from "@skillwright/records";
import { expect, onTestFinished, test } from "vitest";
import { openStores } from "../src/terminal/open-stores.js";

const scope = { app: "agent", user: "local", session: "plan" };

test("conversations and artifacts in a SQLite file are there after a restart", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "skillwright agent-"));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  const place = "sqlite:data/agent.sqlite";
  const options = { artifacts: place, records: place, lock: undefined, session: "plan" };
  const first = await openStores(options, { env: {}, cwd, home: cwd });
  await recordSessions(first.records).update(scope, { from: 0, append: ["hello"] });
  await first.artifacts.save(scope, "report.md", "text");
  await first.close();

  const second = await openStores(options, { env: {}, cwd, home: cwd });
  onTestFinished(() => second.close());
  expect((await recordSessions(second.records).get(scope))?.history).toEqual(["hello"]);
  const { content } = await second.artifacts.open(scope, "report.md");
  expect(await readText(content, 100)).toBe("text");
  expect(second.outputs).toBe(join(cwd, "artifacts"));
});

test.each([
  ["the data folder", {}, {}],
  ["the addresses of the configuration", {}, { records: "sqlite:data/own.sqlite", artifacts: "outputs" }],
  [
    "the addresses of the command line",
    { records: "sqlite:data/own.sqlite", artifacts: "outputs" },
    { artifacts: "none" },
  ],
])(
  "SERVE-103: a server opens the stores that `skillwright serve` opens: %s",
  async (_, flags, configured) => {
    const cwd = await mkdtemp(join(tmpdir(), "skillwright agent-"));
    onTestFinished(() => rm(cwd, { recursive: true, force: true }));
    const options = {
      artifacts: undefined,
      records: undefined,
      lock: undefined,
      session: undefined,
      serve: true,
    };
    const app = await openStores({ ...options, ...flags }, { env: {}, cwd, home: cwd }, configured);
    onTestFinished(() => app.close());
    await recordSessions(app.records).update(scope, { from: 0, append: ["hello"] });
    await app.artifacts.save(scope, "report.md", "text");

    const served = await openConfigured({
      data: join(cwd, ".skillwright"),
      cwd,
      env: {},
      ...configured,
      ...flags,
    });
    onTestFinished(() => served.close());
    expect((await recordSessions(served.records).get(scope))?.history).toEqual(["hello"]);
    expect((await served.artifacts.list(scope)).map(({ name }) => name)).toEqual(["report.md"]);
    expect(served.namespace).toBe(app.namespace);
  },
);
