import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { isOlder, neededNode } from "../scripts/bootstrap/choose-node.mjs";
import { root } from "../scripts/bootstrap/root.mjs";
import { runCommand } from "../scripts/run-command.mjs";
import { bareMachine } from "./bare/bare-machine.mjs";
import { noteFinished } from "./finished-file.mjs";

/**
 * In the whole form root runs one third of the tests, and one eighth runs with odd settings; the commit decides which. Test files that need
 * a program which this machine lacks run as root in the stage `code`.
 */
const SHARES = { root: 3, odd: 8 };
const absent = ["bwrap", "redis-server", "docker", "dockerd", "podman", "ceph", "ceph-mon", "python3"];

/**
 * A stage that runs the README's commands unchanged on a machine with only git, npm and a Node older than the packages need, as an
 * ordinary user. In the whole form also as root, with a share of the tests, and another share as an ordinary user with everything installed
 * and unusual settings, as `.ci/bare.mjs odd COMMAND` does.
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
    const [demo, test] = readmeCommands();
    /** @type {Record<"newcomer" | "root", string[]>} */
    const commands = {
      newcomer: [demo, test],
      root: [demo, `npm test -- ${await shareOfCommit(SHARES.root)}`],
    };
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
      for (const command of commands[user]) {
        await tests(result, `${user}: ${command}`, command, { machine, user, show });
        if (command.startsWith("npm test") && user === "newcomer")
          noteFinished(resultsOf(machine.cloneOf(user)));
      }
    }
    if (isWhole) {
      const share = await shareOfCommit(SHARES.odd);
      const command = `npm test -- ${share}`;
      const odd = { machine, user: /** @type {const} */ ("newcomer"), isOdd: true, show };
      await tests(result, `odd settings: ${command}`, command, odd);
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

/** The command of the demo and that of the tests. @returns {[string, string]} */
function readmeCommands() {
  const readme = readFileSync(`${root}/README.md`, "utf8");
  const [, block = ""] = readme.match(/^## Two commands$[\s\S]*?^```sh\n([\s\S]*?)^```/m) ?? [];
  const [demo = "", test = "", ...more] = block.trimEnd().split("\n");
  assert.ok(
    test.startsWith("npm test") && more.length === 0,
    "the README's first block is not a demo and `npm test`",
  );
  return [demo, test];
}

/** Arguments of `npm test`. @param {number} shares */
async function shareOfCommit(shares) {
  const { stdout } = await runCommand("git", ["rev-parse", "--short=8", "HEAD"], { cwd: root });
  return `--project=code --project=shared --project=large --shard=${(Number.parseInt(stdout, 16) % shares) + 1}/${shares}`;
}
