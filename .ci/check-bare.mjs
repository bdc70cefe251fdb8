/**
 * Runs the README's commands unchanged on a machine with only git, npm and a Node older than the packages need: as root and
 * as an ordinary user, the tests as one of them. Then runs a share of the tests as an ordinary user with everything
 * installed and unusual settings, as `.ci/bare.mjs odd COMMAND` does.
 */
import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { isOlder, neededNode } from "../scripts/bootstrap/choose-node.mjs";
import { root } from "../scripts/bootstrap/root.mjs";
import { checks } from "../scripts/checks.mjs";
import { runCommand } from "../scripts/run-command.mjs";
import { bareMachine } from "./bare/bare-machine.mjs";
import { finishedFile, writeFinishedFile } from "./finished-file.mjs";

/** One of so many shares of the tests runs with unusual settings: another one for each commit. */
const SHARES = 8;
const absent = ["bwrap", "redis-server", "docker", "dockerd", "podman", "ceph", "ceph-mon", "python3"];

rmSync(finishedFile, { force: true });
const { check, close } = checks();
const machine = await bareMachine();
try {
  for (const user of /** @type {const} */ (["root", "newcomer"])) {
    await check(`${user} finds git, Node and npm, and nothing of ${absent.join(", ")}`, async () => {
      const look = `for name in git node npm ${absent.join(" ")}; do command -v $name; done; true`;
      const { stdout } = await machine.run(look, { user });
      assert.deepEqual(stdout.match(/[^/\n]+$/gm), ["git", "node", "npm"]);
    });
    await check(`${user} has Node ${machine.nodeVersion}, which is older than ${neededNode}`, async () => {
      const { stdout } = await machine.run("node --version", { user });
      assert.equal(stdout, `v${machine.nodeVersion}\n`);
      assert.ok(isOlder(machine.nodeVersion, neededNode));
    });
    for (const command of await commandsOf(user)) {
      const passed = await check(`${user}: ${command}`, () => machine.run(command, { user }));
      if (passed && command.startsWith("npm test")) writeFinishedFile(machine.cloneOf(user));
    }
  }
  const share = await shareOfCommit();
  await check(`share ${share} of the tests, odd settings`, () =>
    machine.run(`npm test -- --project=code --project=shared --shard=${share}`, {
      user: "newcomer",
      isOdd: true,
    }),
  );
} finally {
  machine.remove();
}
close();

/** All of the tests take minutes: they run as root or as the ordinary user, another one from commit to commit. */
async function commandsOf(user) {
  const tester = (await numberOfCommit()) % 2 === 0 ? "root" : "newcomer";
  return readmeCommands().filter((command) => user === tester || !command.startsWith("npm test"));
}

function readmeCommands() {
  const readme = readFileSync(`${root}/README.md`, "utf8");
  const [, block = ""] = readme.match(/^## Two commands$[\s\S]*?^```sh\n([\s\S]*?)^```/m) ?? [];
  const commands = block.trimEnd().split("\n");
  assert.equal(commands.length, 2, "the README's first block of commands is not two lines");
  return commands;
}

async function shareOfCommit() {
  return `${((await numberOfCommit()) % SHARES) + 1}/${SHARES}`;
}

async function numberOfCommit() {
  const { stdout } = await runCommand("git", ["rev-parse", "--short=8", "HEAD"], { cwd: root });
  return Number.parseInt(stdout, 16);
}
