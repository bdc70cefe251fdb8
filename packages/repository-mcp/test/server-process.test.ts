import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Secret } from "@skillwright/core";
import { expect, onTestFinished, test, vi } from "vitest";
import { mcpRepository } from "../src/index.js";
import { idsIn, isRunning, oddCommand, oddServer, untilEnded } from "./odd-servers.js";

const KILLED_HOST = new URL("./children/killed-host.mjs", import.meta.url);
const LEAVING_HOST = new URL("./children/leaving-host.mjs", import.meta.url);

test("close() has ended an ordinary server (MCP-23)", async () => {
  const { repository, ids } = await oddServer("honest");
  await repository.list();
  const [id = 0] = await ids();
  expect(await isRunning(id)).toBe(true);
  await repository.close();
  expect(await isRunning(id)).toBe(false);
  await expect(repository.load("one")).rejects.toMatchObject({ code: "CLOSED" });
});

test("close() ends a server that ignores its input's end and SIGTERM, and its helper (MCP-23)", async () => {
  const { repository, ids } = await oddServer("stubborn");
  await repository.list();
  const all = await ids();
  expect(all).toHaveLength(2);
  await repository.close();
  await untilEnded(all);
});

test("close() ends a server that has not answered yet, and the waiting call (MCP-23)", async () => {
  const { repository, ids } = await oddServer("mute");
  const listing = repository.list().catch((error: unknown) => error);
  const all = await ids();
  await repository.close();
  expect(await listing).toMatchObject({ code: "CLOSED" });
  await untilEnded(all);
});

test("close() just after the first call leaves no server behind (MCP-23)", async () => {
  const { repository } = await oddServer("stubborn");
  const listing = repository.list().catch((error: unknown) => error);
  await repository.close();
  expect(await listing).toMatchObject({ code: "CLOSED" });
});

test.each(["honest", "stubborn"])(
  "a host that is killed takes a server of the kind %s with it, and its helper (MCP-23)",
  async (kind) => {
    const { host, mark } = await hostOf(KILLED_HOST, kind);
    await once(host.stdout, "data");
    const ids = await idsIn(mark);
    host.kill("SIGKILL");
    await untilEnded(ids);
  },
);

test("a host that ends without close() is not kept by the server, which ends with it (MCP-23)", async () => {
  const { host, mark } = await hostOf(LEAVING_HOST, "stubborn");
  const [code] = await once(host, "exit");
  expect(code).toBe(0);
  await untilEnded(await idsIn(mark));
});

test("a server gets PATH, HOME, the language and the named variables, and no other (MCP-23)", async () => {
  vi.stubEnv("LC_ALL", "C.UTF-8");
  vi.stubEnv("SKILLWRIGHT_TOKENS", "https://example.com=secret");
  vi.stubEnv("NODE_OPTIONS", "--no-warnings");
  const { PATH, HOME, LANG, LC_ALL } = process.env;
  const { repository } = await oddServer("environment", {
    environment: { API_KEY: "of-the-server" },
  });
  await repository.list();
  // The bytes are not those of the listing, and the message says nothing of them.
  const error = await repository.load("one").catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "DIGEST_MISMATCH" });
  expect(String(error)).not.toContain("of-the-server");
  const seen = await environmentOf({ API_KEY: new Secret("of-the-server") });
  expect(seen).toEqual({ PATH, HOME, ...(LANG && { LANG }), LC_ALL, API_KEY: "of-the-server" });
});

test("a variable that no process can have, and an empty command, are refused at once (MCP-23)", () => {
  const withVariable = (name: string) => () =>
    mcpRepository({ server: { command: ["node"], environment: { [name]: "x" } } });
  expect(withVariable("A=B")).toThrow(expect.objectContaining({ code: "INPUT_INVALID" }));
  expect(() => mcpRepository({ server: { command: [] } })).toThrow(
    expect.objectContaining({ code: "CONFIG_INVALID" }),
  );
});

test("a program that does not exist is named neither with its arguments nor its variables (MCP-23)", async () => {
  await using repository = mcpRepository({
    server: { command: ["/nowhere/such-server", "--token=secret"], environment: { KEY: "secret" } },
  });
  const error = await repository.list().catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    code: "BACKEND_FAILED",
    message: expect.stringContaining("there is no such program"),
  });
  expect(`${error} ${repository.label}`).not.toContain("secret");
  expect(repository.label).toBe("mcp such-server");
});

/** What `env` prints where the server would be started. */
async function environmentOf(environment: Record<string, string | Secret>): Promise<unknown> {
  const { startProcess } = await import("../src/server/server-process.js");
  const program = await startProcess({
    command: [process.execPath, "-e", "console.log(JSON.stringify(process.env))"],
    environment,
  });
  let text = "";
  program.onOutput((piece) => {
    text += piece.toString();
  });
  await program.ended;
  return JSON.parse(text);
}

async function hostOf(program: URL, kind: string) {
  const folder = await mkdtemp(join(tmpdir(), "skillwright-mcp-"));
  const mark = join(folder, "ids");
  const host = spawn(process.execPath, [fileURLToPath(program), ...oddCommand(kind, mark)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    host.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  });
  return { host, mark };
}
