import { expect, test } from "vitest";
import { scriptedModel } from "./scripted-model.js";
import { SHOUT, testAgent } from "./test-agent.js";

test("INPUT-23: every tool finds an upload at the path that the model is told", async () => {
  let path = "";
  const { model, requests } = scriptedModel((step, { prompt }) => {
    if (step > 1) return { text: "Seen." };
    path = /Uploaded files: (\S+) \(/.exec(JSON.stringify(prompt.at(-1)))?.[1] ?? "";
    const command = `cat ${path}`;
    return {
      calls: [
        { tool: "skill_run", input: { skill: "shout", command } },
        { tool: "workspace_run", input: { command } },
        { tool: "workspace_read", input: { path } },
        { tool: "workspace_list", input: {} },
        { tool: "workspace_write", input: { path: `${path}.copy`, content: "x" } },
        { tool: "workspace_run", input: { command: `cat ${path}.copy` } },
      ],
    };
  });
  const tools = ["workspace_run", "workspace_read", "workspace_list", "workspace_write"];
  const agent = await testAgent({ model, skills: { shout: SHOUT }, template: { systemPrompt: "", tools } });
  const uploaded = await agent.upload("orders.csv", "a,b\n1,2\n");
  const { events } = await agent.chat("Print my file");
  expect(path).toBe(uploaded.path);
  const ids = events.flatMap((event) => (event.type === "tool.call" ? [event.callId] : []));
  const outputs = events
    .flatMap((event) => (event.type === "tool.response" ? [event] : []))
    .sort((a, b) => ids.indexOf(a.callId) - ids.indexOf(b.callId))
    .map(({ output }) => output);
  expect(outputs).toMatchObject([
    { stdout: "a,b\n1,2\n", exit_code: 0 },
    { stdout: "a,b\n1,2\n", exit_code: 0 },
    { path, content: "a,b\n1,2\n" },
    { files: [{ path, size_bytes: 8 }] },
    { path: `${path}.copy` },
    { stdout: "x", exit_code: 0 },
  ]);
  expect(requests).toHaveLength(2);
});
