/**
 * Uses `skillwright mcp` with programs of others: the command line of the MCP Inspector over standard streams and HTTP, and the
 * conformance suite of the protocol, which also tests our client. Both are installed in `scripts/mcp-hosts`, outside of the workspace.
 */
import "./modern-node.mjs";
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";

const { prepare } = await import("./bootstrap/prepare.mjs");
const { root } = await import("./bootstrap/root.mjs");
const { checks } = await import("./checks.mjs");
const { leftOutScenarios } = await import("./mcp-hosts/left-out-scenarios.mjs");
const { runScenarios } = await import("./mcp-hosts/run-scenarios.mjs");
const { scenarioProblems } = await import("./mcp-hosts/scenario-problems.mjs");
const { useInspector } = await import("./mcp-hosts/use-inspector.mjs");
const { withToken } = await import("./mcp-hosts/with-token.mjs");
const { installLocked } = await import("./packing/install-locked.mjs");
const { startedProgram } = await import("./started-program.mjs");

await prepare({ build: ["packages/cli", "packages/server", "packages/repository-mcp"] });
const directory = `${root}/scripts/mcp-hosts`;
const installed = `${directory}/node_modules/@modelcontextprotocol`;
const inspector = `${installed}/inspector/clients/launcher/build/index.js`;
const command = [process.execPath, `${root}/packages/cli/dist/main.js`, "mcp"];
const { check, close } = checks();
const place = mkdtempSync(`${tmpdir()}/skillwright-mcp-hosts-`);
const env = { PATH: process.env.PATH, HOME: `${place}/home`, TMPDIR: process.env.TMPDIR, NO_COLOR: "1" };

try {
  const title = "Installing the MCP Inspector and the conformance suite with npm (once)";
  const isInstalled = await check(
    "the Inspector and the conformance suite install from their own lockfile",
    () => installLocked({ directory, title, log: "mcp-hosts" }),
  );
  if (isInstalled) {
    writeSkill();
    await inspectStreams();
    await overHttp();
    await check("each client scenario of the conformance suite passes, or is listed with its reason", () =>
      conform("client", ["--command", `"${process.execPath}" "${directory}/list-skills.mjs"`]),
    );
  }
} finally {
  rmSync(place, { recursive: true, force: true });
}
close();

async function inspectStreams() {
  for (const [era, revision] of Object.entries({ legacy: "2025-11-25", modern: "2026-07-28" }))
    await check(`the Inspector uses the skills over standard streams, by revision ${revision}`, () =>
      useInspector(["--protocol-era", era, ...command], { program: inspector, cwd: `${place}/project`, env }),
    );
}

async function overHttp() {
  const options = { cwd: `${place}/project`, env, ready: /^address +(\S+)\ntoken +(\S+)$/m };
  await check("skillwright mcp --http serves these programs", () =>
    startedProgram([...command, "--http", "--port", "0"], options, async ([, address, token]) => {
      const target = ["--transport", "http", "--server-url", address];
      const header = ["--header", `Authorization: Bearer ${token}`];
      const program = { program: inspector, cwd: `${place}/project`, env };
      await check("the Inspector uses the skills over HTTP", () =>
        useInspector([...target, ...header], program),
      );
      await check("the Inspector is refused over HTTP without the token", () =>
        assert.rejects(useInspector([...target, "--stored-auth-only"], program), /401|auth_required/),
      );
      await check(
        "each server scenario of the conformance suite passes, or is listed with its reason",
        async () => {
          // The suite sends no token.
          const forwarding = await withToken(address, token);
          await conform("server", ["--url", forwarding.address]).finally(forwarding.close);
        },
      );
    }),
  );
}

async function conform(side, options) {
  const results = `${place}/${side}`;
  const ran = await runScenarios(side, options, {
    program: `${installed}/conformance/dist/index.js`,
    results,
    env,
  });
  assert.deepEqual(scenarioProblems(ran, leftOutScenarios[side]), []);
}

function writeSkill() {
  const skill = `${place}/home/.skillwright/skills/greet`;
  mkdirSync(skill, { recursive: true });
  mkdirSync(`${place}/project`);
  writeFileSync(
    `${skill}/SKILL.md`,
    "---\nname: greet\ndescription: Greets a person.\n---\nRun `sh greet.sh NAME`.\n",
  );
  writeFileSync(`${skill}/greet.sh`, 'echo "Hello, $1" > out/greeting.txt\n');
}
