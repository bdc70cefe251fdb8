import { memoryRecords, memoryRepository } from "@skillwright/repository-memory";
import { localRuntime } from "@skillwright/runtime-local";
import { skillBox } from "@skillwright/skillbox";
import { expect, onTestFinished, test } from "vitest";
import { createAgents } from "../src/agent/create-agent.js";
import { scriptedModel } from "./scripted-model.js";

test("AGENT-14: agents of many conversations share model, runtime and workspaces, and one that is closed ends none of them", async () => {
  let runtimes = 0;
  let sweeps = 0;
  const { model } = scriptedModel([{ text: "first" }, { text: "second" }, { text: "third" }]);
  const agents = await createAgents(
    { modelConfig: { provider: "test", model: "test" } },
    {
      records: memoryRecords(),
      models: () => model,
      skills: skillBox({ own: memoryRepository({ skills: {} }) }),
      runtime: () => {
        runtimes++;
        const runtime = localRuntime({ isolation: "auto" });
        const list: typeof runtime.list = async (options) => {
          sweeps++;
          return await runtime.list(options);
        };
        return { ...runtime, list };
      },
    },
  );
  onTestFinished(() => agents.close());
  const [one, two] = await Promise.all(
    ["one", "two"].map((session) => agents.open({ app: "test", user: "ada", session })),
  );
  expect((await one?.chat("Hello"))?.text).toBe("first");
  expect((await two?.upload("a.txt", "of two"))?.path).toContain("a.txt");
  await one?.close();
  expect((await two?.chat("Hello"))?.text).toBe("second");
  expect((await two?.files())?.map(({ path }) => path).join()).toContain("a.txt");
  expect({ runtimes, sweeps }).toEqual({ runtimes: 1, sweeps: 1 });
  await two?.close();
  await agents.close();
  await expect(agents.open({ app: "test", user: "ada", session: "three" })).rejects.toMatchObject({
    code: "CLOSED",
  });
});
