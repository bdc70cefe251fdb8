import { delegate } from "@skillwright/core/adapter";
import { localRuntime } from "@skillwright/runtime-local";
import { expect, onTestFinished, test } from "vitest";
import type { AgentServer } from "../src/index.js";
import { heldTool, withTool } from "./held-tool.js";
import { ask, newConversation, say, testServer } from "./test-server.js";

test("WEB-05: tells who asks, the largest upload and which turns are active, each user their own", async () => {
  const gate = heldTool();
  const server = testServer({ ...withTool(gate.tool), maxUploadBytes: 1000 });
  const read = async (path: string, user?: string) =>
    await (await ask(server, path, user ? { user } : {})).json();
  expect(await read("/server")).toEqual({ user: "ada", maxUploadBytes: 1000, isDraining: false });
  const id = await newConversation(server);
  expect(await read("/turns")).toEqual([]);
  expect(await read(`/conversations/${id}`)).not.toHaveProperty("turn");
  const turn = await say(server, id, "Wait");
  await gate.called;
  const [active] = (await read("/turns")) as { id: string; startedAt: string }[];
  expect(active).toMatchObject({ conversation: id });
  expect(await read(`/conversations/${id}`)).toMatchObject({
    turn: { id: active?.id, startedAt: active?.startedAt },
  });
  expect(await read("/turns", "bob")).toEqual([]);
  gate.open();
  await turn.text();
  expect(await read("/turns")).toEqual([]);
});

test("SERVE-107: the server tells how commands are isolated and which promises do not hold; only the local user is told files and folders of its disk", async () => {
  const real = localRuntime({ isolation: "none" });
  onTestFinished(() => real.close());
  const diagnostic = (code: string, message: string) => ({
    ...{ code, severity: "warning" as const, message, hint: "Change it." },
  });
  const runtime = delegate(real, {
    capabilities: async () => ({
      ...(await real.capabilities()),
      isolation: { level: "none" as const, by: "nothing" },
      diagnostics: [diagnostic("a", "No limit holds."), diagnostic("b", "/srv/x cannot be read.")],
    }),
  });
  const read = async (server: AgentServer, token = "ada") =>
    await (await ask(server, "/runtime", { user: token })).json();
  const isolation = { level: "none", by: "nothing" };
  expect(await read(testServer({ runtime }))).toMatchObject({
    ...{ label: "local", isolation, diagnostics: [{ code: "a", hint: "Change it." }] },
  });
  const local = testServer({ runtime, authenticate: undefined });
  const codes = [expect.objectContaining({ code: "a" }), expect.objectContaining({ code: "b" })];
  expect(await read(local, local.token)).toEqual({ label: "local", isolation, diagnostics: codes });
});
