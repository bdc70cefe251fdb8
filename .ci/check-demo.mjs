/** Runs `npm run demo` as a new user would and checks its results. It runs after the build. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { root } from "../scripts/bootstrap/root.mjs";
import { checks } from "../scripts/checks.mjs";
import { runCommand } from "../scripts/run-command.mjs";
import { checkTerminal } from "./check-terminal.mjs";

const { check, close } = checks();
let output = "";

await check("npm run demo ends well", async () => {
  ({ output } = await runCommand("npm", ["run", "demo"], { cwd: root, show: true }));
});
await check("it finds nothing left to install or build", () => {
  assert.match(output, /Ready: dependencies and build are up to date/);
});
await check("the artifact that it names is there, from this run, and says something about the orders", () => {
  const [path] = output.match(/\S*artifacts\/\S+\.md\b/) ?? [];
  assert.ok(path, "no path of an artifact in what the demo printed");
  const file = resolve(root, path);
  assert.ok(existsSync(file), `${file} does not exist`);
  assert.ok(Date.now() - statSync(file).mtimeMs < 120_000, `${file} is older than this run`);
  const text = readFileSync(file, "utf8");
  assert.ok(text.length > 200, `${file} holds only ${text.length} characters`);
  assert.match(text, /orders/i);
});
await check("it says in which isolation the skill ran", () => assert.match(output, /bubblewrap/i));
await checkTerminal(check);
close();
