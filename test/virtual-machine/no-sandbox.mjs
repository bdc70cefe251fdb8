/** Checks what a person sees where the kernel allows no namespaces. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { checks } from "../../scripts/checks.mjs";

const { check, close } = checks();
const root = fileURLToPath(new URL("../../", import.meta.url));
const agent = `${root}apps/agent/dist/main.js`;
const command = `${root}packages/cli/dist/main.js`;

await check("the demo says so once, with the remedy", async () => {
  tellsOnce(await shown([agent, "What can you do for me?"]), /Commands are not isolated/);
});
await check("the agent that must have a sandbox says so once, with the remedy", async () => {
  tellsOnce(
    await shown([agent, "--isolation", "sandbox"]),
    /Commands cannot be isolated, so none will be run/,
  );
});
await check("the server of the agent says so once, with the remedy", async () => {
  tellsOnce(await shown([agent, "--serve", "--port", "0"], / API {6}http/), /Commands are not isolated/);
});
const run = [command, "run", "--skills", `${root}skills`];
await check("the command says so once, with the remedy", async () => {
  tellsOnce(await shown([...run, "python-math", "echo hi"]), /Commands are not isolated/);
});
await check("the command that must have a sandbox says so once, with the remedy", async () => {
  const text = await shown([...run, "--isolation", "sandbox", "python-math", "echo hi"]);
  tellsOnce(text, /Commands cannot be isolated, so none will be run/);
});
await check("skillwright serve says so once, with the remedy, and serves", async () => {
  const text = await shown([command, "serve", "--port", "0"], /isolation: \\"none\\"/);
  tellsOnce(text, /Commands cannot be isolated, so none will be run/);
  assert.match(text, /^address {2}http/m);
});
await check("doctor says so once, with the remedy, and not to install what is installed", async () => {
  const text = await shown([command, "doctor"]);
  tellsOnce(text, /! sandbox +none: the kernel did not allow bubblewrap to create namespaces/);
  assert.doesNotMatch(text, /apt-get install bubblewrap/);
});
close();

function tellsOnce(text, message) {
  const flat = text.replaceAll(/\s+/g, " ");
  assert.match(flat, message);
  assert.equal(flat.split("sysctl -w user.max_user_namespaces=10000").length - 1, 1, text);
}

/** Returns the output of the program until it ends or has printed `last`. */
function shown(args, last) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (piece) => {
        text += piece;
        if (last?.test(text)) child.kill("SIGTERM");
      });
    child.once("error", reject);
    child.once("close", () => resolve(text));
  });
}
