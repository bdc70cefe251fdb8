import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { isOlder, neededNode } from "../scripts/bootstrap/choose-node.mjs";
import { root } from "../scripts/bootstrap/root.mjs";
import { runCommand } from "../scripts/run-command.mjs";
import { bareMachine } from "./bare/bare-machine.mjs";
import { noteFinished } from "./finished-file.mjs";

/** One of so many shares of the tests runs with unusual settings: another one for each commit. */
const SHARES = 8;
const absent = ["bwrap", "redis-server", "docker", "dockerd", "podman", "ceph", "ceph-mon", "python3"];

/**
 * A stage that runs the README's commands unchanged on a machine with only git, npm and a Node older than the packages need, as an
 * ordinary user. In the whole form also as root, and a share of the tests as an ordinary user with everything installed and
 * unusual settings, as `.ci/bare.mjs odd COMMAND` does.
 *
 * @param {{ isWhole: boolean, isForced: boolean }} form
 * @returns {import("./gate.mjs").Stage["run"]}
 */
export function bareStage({ isWhole, isForced }) {
  return async (show) => {
    const machine = await bareMachine({ keepsResults: !isForced });
    // Failed files run again there, after all stages.
    process.on("exit", machine.remove);
    const result = { passed: 0, failures: /** @type {import("./gate.mjs").Failure[]} */ ([]) };
    for (const user of isWhole
      ? /** @type {const} */ (["newcomer", "root"])
      : /** @type {const} */ (["newcomer"])) {
      await check(result, `${user} has git, Node and npm, and nothing of ${absent.join(", ")}`, async () => {
        const look = `for name in git node npm ${absent.join(" ")}; do command -v $name; done; true`;
        const { stdout } = await machine.run(look, { user, show });
        assert.deepEqual(stdout.match(/[^/\n]+$/gm), ["git", "node", "npm"]);
      });
      await check(result, `${user} has a Node older than ${neededNode}`, async () => {
        const { stdout } = await machine.run("node --version", { user, show });
        assert.equal(stdout, `v${machine.nodeVersion}\n`);
        assert.ok(isOlder(machine.nodeVersion, neededNode));
      });
      for (const command of readmeCommands()) {
        await tests(result, `${user}: ${command}`, command, { machine, user, show });
        if (command.startsWith("npm test") && user === "newcomer")
          noteFinished(resultsOf(machine.cloneOf(user)));
      }
    }
    if (isWhole) {
      const share = await shareOfCommit();
      const command = `npm test -- --project=code --project=shared --shard=${share}`;
      const odd = { machine, user: /** @type {const} */ ("newcomer"), isOdd: true, show };
      await tests(result, `share ${share} of the tests, odd settings`, command, odd);
    }
    return result;
  };
}

async function check(result, name, body) {
  try {
    await body();
    result.passed++;
  } catch (error) {
    result.failures.push({ name, passed: 0, failed: 1, texts: [`${name}\n${error.message}`] });
  }
}

/** Runs a command; the test files that failed in it, or else the command, can be run again. */
async function tests(result, name, command, { machine, user, isOdd = false, show }) {
  const passes = (/** @type {string} */ command, /** @type {(text: string) => void} */ show) =>
    machine.run(command, { user, isOdd, show }).then(
      () => ({ passed: 1, failed: 0, text: "" }),
      (/** @type {Error} */ error) => ({ passed: 0, failed: 1, text: error.message }),
    );
  const { failed, text } = await passes(command, show);
  if (failed === 0) {
    result.passed++;
    return;
  }
  const { files, errors } = command.startsWith("npm test")
    ? resultsOf(machine.cloneOf(user))
    : { files: [], errors: [] };
  const failedFiles = files.filter(({ failures }) => failures.length > 0);
  for (const { file, project, failures } of failedFiles)
    result.failures.push({
      name: `${name}: ${file}`,
      ...{ passed: 0, failed: 1 },
      texts: failures.map((text) => `${file} > ${text}`),
      again: (show) => passes(`npm test -- --project=${project} ${file}`, show),
    });
  if (errors.length > 0 || failedFiles.length === 0)
    result.failures.push({
      name,
      passed: 0,
      failed: 1,
      texts: [`${name}\n${text}`],
      again: (show) => passes(command, show),
    });
}

/** @returns {import("../test/needs/results-reporter.js").RunResults} */
function resultsOf(/** @type {string} */ clone) {
  const file = `${clone}/.cache/test-results.json`;
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { files: [], errors: [] };
}

function readmeCommands() {
  const readme = readFileSync(`${root}/README.md`, "utf8");
  const [, block = ""] = readme.match(/^## Two commands$[\s\S]*?^```sh\n([\s\S]*?)^```/m) ?? [];
  const commands = block.trimEnd().split("\n");
  assert.equal(commands.length, 2, "the README's first block of commands is not two lines");
  return commands;
}

async function shareOfCommit() {
  const { stdout } = await runCommand("git", ["rev-parse", "--short=8", "HEAD"], { cwd: root });
  return `${(Number.parseInt(stdout, 16) % SHARES) + 1}/${SHARES}`;
}
