import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { workspacesName } from "@skillwright/config";
import { fsRecords } from "@skillwright/repository-fs";
import { expect, onTestFinished, test } from "vitest";
import { killedAgent, workspacesIn } from "../../../packages/agent/test/killed-agent.js";
import { removeTree } from "../../../packages/runtime-local/src/storage/remove-tree.js";
import { hasAll } from "../../../test/needs/has-all.js";
import { testTerminal } from "./test-terminal.js";

if (hasAll("packages/agent/dist"))
  test("the terminal destroys the workspaces that a killed agent left in the same home, once the policy of the configuration file applies", async () => {
    const folder = await mkdtemp(join(tmpdir(), "skillwright-killed-"));
    onTestFinished(() => removeTree(folder));
    const root = join(folder, "workspaces");
    const policies = [{ when: { idleFor: "200ms" }, do: "destroy" }];
    const file = JSON.stringify({ agent: { sandbox: { root }, workspaces: { policies } } });
    const terminal = await testTerminal({ "home/.skillwright/skillwright.config.json": file });
    const data = join(terminal.folder, "home", ".skillwright");
    const records = fsRecords({ root: join(data, "records") });
    const namespace = await workspacesName({ records, folder: data });
    const own = join(root, ".skillwright", `of-${namespace}`);
    await killedAgent(own, "plan");
    await killedAgent(root, "plan");
    await terminal.open(["--chat", "--isolation", "none"]);
    await expect.poll(() => workspacesIn(own)).toEqual([]);
    expect(await workspacesIn(root)).toHaveLength(1);
  });

test("the terminal says which settings of the configuration file its command line decides", async () => {
  const file = JSON.stringify({ agent: { session: { app: "a", user: "u", session: "s" } } });
  const terminal = await testTerminal({ "home/.skillwright/skillwright.config.json": file });
  await expect(terminal.open(["--chat"])).rejects.toMatchObject({
    code: "CONFIG_INVALID",
    message: expect.stringContaining("agent.session"),
  });
});

test("the terminal ignores the agent's settings of a project that is not trusted, and says so", async () => {
  const file = JSON.stringify({ agent: { workspaces: { allowNetwork: true }, maxSteps: -1 } });
  const terminal = await testTerminal({ "skillwright.config.json": file });
  const { diagnostics } = await terminal.open(["--chat"]);
  expect(diagnostics).toContainEqual(
    expect.objectContaining({ code: "configuration.untrusted", message: expect.stringContaining("`agent`") }),
  );
});
