import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { served } from "./served-app.js";

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

  test("SERVE-68: with --records a server has the turns of all that share it, and no others", async () => {
    const folder = await mkdtemp(join(tmpdir(), "skillwright-serve-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const shared = ["--records", "sqlite:shared.sqlite"];
    const [one, two, other] = [
      await served(folder, "--serve", ...shared),
      await served(folder, "--serve", ...shared),
      await served(folder),
    ];
    await one.ask("/conversations", { id: "one" });
    const turn = await one.ask("/conversations/one/turns", {
      message: { parts: [{ type: "text", text: "What can you do for me?" }] },
    });
    const events = await turn.text();
    expect(events).toMatch(/data: \[DONE\]\n\n$/);
    const stream = new URL(turn.headers.get("content-location") ?? "", one.address).pathname.replace(
      "/v1",
      "",
    );
    expect(await (await two.ask(stream)).text()).toBe(events);
    expect((await other.ask(stream)).status).toBe(404);
    for (const server of [one, two, other]) expect(await server.end()).toBe(0);
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

if (hasAll("apps/agent/dist", "packages/web/dist/page"))
  test("WEB-06: --web serves the page beside the API and prints an address that signs in", async () => {
    const folder = await mkdtemp(join(tmpdir(), "skillwright-serve-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const { address, token, shown, end } = await served(folder, "--web");
    await expect.poll(shown).toContain(`/#token=${token}\n`);
    const page = await fetch(new URL("/", address));
    expect(page.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; script-src 'self'; style/,
    );
    const [script = ""] = /assets\/[^"]+\.js/.exec(await page.text()) ?? [];
    const loaded = await fetch(new URL(`/${script}`, address));
    expect(loaded.headers.get("cache-control")).toContain("immutable");
    expect(await loaded.text()).not.toMatch(/https:\/\/(?:cdn|fonts|unpkg)/);
    const frame = await fetch(new URL("/frame.html", address));
    expect(frame.headers.get("content-security-policy")).toMatch(
      /^sandbox allow-scripts; default-src 'none'/,
    );
    expect(await end()).toBe(0);
  });
