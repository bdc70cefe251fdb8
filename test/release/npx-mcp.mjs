import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

/**
 * Starts `skillwright mcp` as hosts do: with `npx`, from the given registry, where nothing of ours is installed. It has to list
 * the tools, read a skill of the folder, and end by itself when the host closes its input.
 */
export async function checkNpxMcp({ folder, scopeRegistry, check }) {
  await check("`npx -y @skillwright/cli mcp` serves the skills of a folder to a host", async () => {
    mkdirSync(`${folder}/.agents/skills/greeter`, { recursive: true });
    mkdirSync(`${folder}/home`);
    writeFileSync(`${folder}/.npmrc`, `@skillwright:registry=${scopeRegistry}\n`);
    const text = "---\nname: greeter\ndescription: Greets a person.\n---\nSay hello to them.\n";
    writeFileSync(`${folder}/.agents/skills/greeter/SKILL.md`, text);
    const host = spawn("npx", ["-y", "@skillwright/cli", "mcp"], {
      cwd: folder,
      env: {
        ...process.env,
        HOME: `${folder}/home`,
        npm_config_cache: `${folder}/npm`,
        npm_config_update_notifier: "false",
      },
      stdio: ["pipe", "pipe", "inherit"],
    });
    const closed = once(host, "close");
    const lines = createInterface({ input: host.stdout })[Symbol.asyncIterator]();

    async function ask(/** @type {number} */ id, /** @type {string} */ method, params = {}) {
      host.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
      for (let line = await lines.next(); !line.done; line = await lines.next()) {
        const message = JSON.parse(line.value);
        if (message.id === id) return message.result;
      }
      throw new Error(`The server ended before it answered ${method}.`);
    }

    const clientInfo = { name: "host", version: "1.0.0" };
    const begun = await ask(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
    assert.equal(begun.serverInfo.name, "skillwright");
    host.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
    const { tools } = await ask(2, "tools/list");
    assert.ok(tools.some((/** @type {{ name: string }} */ { name }) => name === "skill_run"));
    const loaded = await ask(3, "tools/call", { name: "skill_load", arguments: { skill: "greeter" } });
    assert.match(JSON.stringify(loaded), /Say hello to them/);
    host.stdin.end();
    assert.deepEqual(await closed, [0, null]);
  });
}
