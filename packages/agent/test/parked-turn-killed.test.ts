import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fsRecords } from "@skillwright/repository-fs";
import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { storedApprovals } from "@skillwright/tools";
import { expect, onTestFinished, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { removeTree } from "../../runtime-local/src/storage/remove-tree.js";
import { createAgent } from "../src/agent/create-agent.js";
import { scriptedModel } from "./scripted-model.js";

const CHILD = fileURLToPath(new URL("children/parked-turn.mjs", import.meta.url));

/** Runs the child until it says that it is done, and kills it. */
async function killedAfter(...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [CHILD, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(child, "close");
  const [said] = await Promise.race([once(child.stdout, "data"), closed]);
  child.kill("SIGKILL");
  await closed;
  return String(said).trim();
}

if (hasAll("packages/agent/dist"))
  test("APPR-13: a turn goes on after its process and the one that answered were killed, and the command runs once", async () => {
    const folder = await mkdtemp(join(tmpdir(), "skillwright-parked-"));
    onTestFinished(() => removeTree(folder));
    const file = join(folder, "went.txt");
    expect(await killedAfter("ask", folder, file)).toBe("waiting");
    expect(await killedAfter("answer", folder)).toBe("answered");
    await expect(readFile(file)).rejects.toMatchObject({ code: "ENOENT" });

    const records = fsRecords({ root: join(folder, "sessions") });
    const files = { "SKILL.md": "---\nname: counter\ndescription: Counts.\n---\nCount.\n" };
    const repository = memoryRepository({ skills: { counter: files } });
    const agent = await createAgent(
      {
        modelConfig: { provider: "test", model: "test" },
        session: { app: "test", user: "u", session: "parked" },
        sandbox: { isolation: "none", root: join(folder, "workspaces") },
      },
      {
        ...{ records, approvals: storedApprovals({ records }) },
        models: () => scriptedModel([{ text: "Counted." }]).model,
        skills: skillBox({ project: { repository, trusted: false } }),
      },
    );
    onTestFinished(() => agent.close());
    expect(await agent.resume()).toMatchObject({ finish: "answered", text: "Counted.", steps: 2 });
    expect(await agent.resume()).toBeUndefined();
    expect(await readFile(file, "utf8")).toBe("went\n");
  });
