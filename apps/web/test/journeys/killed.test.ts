import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { openaiServer } from "../../../../packages/agent/test/openai-server.js";
import { removeTree } from "../../../../packages/runtime-local/src/storage/remove-tree.js";
import { hasAll } from "../../../../test/needs/has-all.js";
import { openPage, sayOn, screenshot } from "../browser.js";
import { HELD, isWhole, letGo } from "../held-run.js";
import { servedPage } from "../served-page.js";

const PROGRAM = fileURLToPath(new URL("../killed-server.mjs", import.meta.url));
const MODULES = ["server", "repository-fs", "repository-memory", "runtime-local", "skillbox"] as const;

/** A process with the server. */
async function serverProcess(root: string, baseURL: string) {
  const child = spawn(process.execPath, [PROGRAM, root, baseURL], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "close");
  const kill = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  onTestFinished(kill);
  const [address] = await Promise.race([once(child.stdout, "data"), ended]);
  return { origin: String(address).trim(), kill };
}

/** Passes requests on, as a proxy: 502 while nobody answers. */
async function passedOn(request: Request, origin: string): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const { method, body, signal } = request;
  const headers = new Headers(request.headers);
  // The server does not know the proxy's address.
  headers.delete("origin");
  const sent = { method, headers, body, signal, duplex: "half" } as RequestInit;
  return await fetch(`${origin}${pathname}${search}`, sent).catch(() => new Response("", { status: 502 }));
}

if (
  hasAll(
    ...(["Chromium", "supervisor", "packages/web/dist/page"] as const),
    ...MODULES.map((name) => `packages/${name}/dist` as const),
  )
)
  test("WEB-42: after the server's process was killed during a run and started again, text, log and card are whole, and nothing is there twice", async () => {
    const root = await mkdtemp(join(tmpdir(), "skillwright-test-"));
    onTestFinished(() => removeTree(root));
    const run = { name: "workspace_run", arguments: JSON.stringify({ command: HELD }) };
    const { baseURL, requests } = await openaiServer([
      { text: "I count.", calls: [run] },
      { text: "All of it." },
    ]);
    const first = await serverProcess(root, baseURL);
    let { origin } = first;
    const { address } = await servedPage({ fetch: (request) => passedOn(request, origin) });
    const page = await openPage(address);
    await sayOn(page, "Count");
    await page.getByRole("log", { name: "Output" }).getByText("8", { exact: true }).waitFor();
    await first.kill();
    await page.getByText("The server does not answer.").waitFor();
    await screenshot(page, "35-killed");
    ({ origin } = await serverProcess(root, baseURL));
    await expect.poll(() => page.getByText("The server does not answer.").count()).toBe(0);
    await letGo(page, address);
    await isWhole(page);
    expect(await page.getByText("I count.").count()).toBe(1);
    await page.reload();
    await isWhole(page);
    expect(await page.getByText("I count.").count()).toBe(1);
    expect(requests).toHaveLength(2);
  });
