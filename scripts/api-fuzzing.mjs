/**
 * Sends requests that Schemathesis makes from the OpenAPI document, valid and malformed ones, to a real
 * `skillwright serve`: none is answered with a failure of the server or outside of the document. The requests are the
 * same each time.
 */
import "./modern-node.mjs";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";

const { prepare } = await import("./bootstrap/prepare.mjs");
const { root } = await import("./bootstrap/root.mjs");
const { checks } = await import("./checks.mjs");
const { runCommand } = await import("./run-command.mjs");

await prepare({ build: ["packages/cli", "packages/server"] });
const { check, close } = checks();
const python = `${root}/.cache/schemathesis`;
const place = mkdtempSync(`${tmpdir()}/skillwright-api-`);

try {
  const isInstalled = await check("Schemathesis is installed", installSchemathesis);
  if (isInstalled) {
    let served;
    await check("skillwright serve starts", async () => {
      served = await serve();
    });
    if (served) {
      const { address, token, ended, child } = served;
      await check("no request fails the server, and each answer is as the document says", async () => {
        const args = fuzzing(address, token);
        const { output, failed } = await runCommand(`${python}/bin/schemathesis`, args, { cwd: place }).then(
          ({ output }) => ({ output, failed: false }),
          (error) => ({ output: error.output ?? String(error), failed: true }),
        );
        console.log(
          output.replaceAll(token, "***").split("=== FAILURES")[failed ? 1 : 0]?.slice(0, 20_000) ?? output,
        );
        if (failed) throw new Error("Schemathesis found what is printed above.");
      });
      await check("the server is still there, and ends with 0 at SIGTERM", async () => {
        child.kill("SIGTERM");
        const code = await ended;
        if (code !== 0) throw new Error(`It ended with ${code}.`);
      });
    }
  }
} finally {
  rmSync(place, { recursive: true, force: true });
}
close();

async function installSchemathesis() {
  const requirements = `${root}/test/api-fuzzing/requirements.txt`;
  const done = `${python}/requirements.txt`;
  if (existsSync(done) && readFileSync(done, "utf8") === readFileSync(requirements, "utf8")) return;
  rmSync(python, { recursive: true, force: true });
  await runCommand("/usr/bin/python3", ["-m", "venv", python]);
  await runCommand(`${python}/bin/pip`, ["install", "--quiet", "--no-deps", "--requirement", requirements]);
  await runCommand("cp", [requirements, done]);
}

async function serve() {
  mkdirSync(`${place}/home`);
  mkdirSync(`${place}/project`);
  const program = `${root}/packages/cli/dist/main.js`;
  const child = spawn(process.execPath, [program, "serve", "--port", "0", "--drain", "1s"], {
    cwd: `${place}/project`,
    env: { PATH: process.env.PATH, HOME: `${place}/home`, TMPDIR: process.env.TMPDIR, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close").then(([code, signal]) => code ?? signal);
  let shown = "";
  for await (const piece of child.stdout) {
    shown += piece;
    const [, address, token] = /^address +(\S+)$[\s\S]*^token +(\S+)$/m.exec(shown) ?? [];
    if (address && token) return { child, ended, address, token };
  }
  throw new Error(`It ended with ${await ended}: ${shown}`);
}

function fuzzing(address, token) {
  return [
    ...["--config-file", `${root}/test/api-fuzzing/schemathesis.toml`, "run"],
    `${root}/packages/server/openapi.json`,
    ...["--url", new URL(address).origin],
    ...["--header", `Authorization: Bearer ${token}`],
    ...["--phases", "examples,coverage,fuzzing", "--max-examples", "20", "--generation-deterministic"],
    ...["--request-timeout", "60", "--no-color"],
  ];
}
