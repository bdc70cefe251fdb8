import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";

const program = fileURLToPath(new URL("../dist/main.js", import.meta.url));

if (hasAll("apps/agent/dist")) {
  test("SERVE-13: --serve prints address and token, answers a turn, keeps conversations and ends at SIGTERM", async () => {
    const folder = await mkdtemp(join(tmpdir(), "skillwright-serve-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const first = await served(folder);
    expect(await (await fetch(`${first.address}/health`)).json()).toEqual({ status: "ok" });
    expect((await fetch(`${first.address}/agents`)).status).toBe(401);
    const created = await first.ask("/conversations", { id: "one" });
    expect(created.status).toBe(201);
    const turn = await first.ask("/conversations/one/turns", {
      message: { parts: [{ type: "text", text: "What can you do for me?" }] },
    });
    expect(await turn.text()).toMatch(/^id: 0\ndata: \{"type":"start"[\s\S]*data: \[DONE\]\n\n$/);
    expect(await first.end()).toBe(0);
    const second = await served(folder);
    expect(await (await second.ask("/conversations/one/messages")).json()).toMatchObject([
      { role: "user" },
      { role: "assistant" },
    ]);
    expect(second.token).not.toBe(first.token);
    expect(await second.end()).toBe(0);
  });

  test("--serve refuses requests that are addressed to another host, and listens on this machine only", async () => {
    const folder = await mkdtemp(join(tmpdir(), "skillwright-serve-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const { address, token, end } = await served(folder);
    expect(new URL(address).hostname).toBe("127.0.0.1");
    const headers = { host: "evil.example", authorization: `Bearer ${token}` };
    const [answer] = (await once(request(`${address}/agents`, { headers }).end(), "response")) as [
      { statusCode: number; resume(): void },
    ];
    answer.resume();
    expect(answer.statusCode).toBe(403);
    expect(await end()).toBe(0);
  });
}

/** The program, serving at a free port, with its own home. */
async function served(folder: string) {
  const env = { PATH: process.env["PATH"], HOME: join(folder, "home"), TMPDIR: tmpdir(), NO_COLOR: "1" };
  const child = spawn(process.execPath, [program, "--serve", "--port", "0"], { cwd: folder, env });
  const closed = once(child, "close");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await closed;
  });
  let shown = "";
  child.stderr.on("data", (piece) => {
    shown += piece;
  });
  const found = new Promise<RegExpExecArray>((resolve, reject) => {
    child.stdout.on("data", (piece) => {
      shown += piece;
      const match = /address +(\S+)\n[\s\S]*token +(\S+)\n/.exec(shown);
      if (match) resolve(match);
    });
    child.once("close", () => reject(new Error(`The server ended: ${shown}`)));
  });
  const [, address = "", token = ""] = await found;
  return {
    ...{ address, token },
    ask: (path: string, json?: unknown) =>
      fetch(`${address}${path}`, {
        method: json === undefined ? "GET" : "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      }),
    end: async () => {
      child.kill("SIGTERM");
      const [code] = await closed;
      return code as number;
    },
  };
}
