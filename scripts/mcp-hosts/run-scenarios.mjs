import { readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { runCommand } from "../run-command.mjs";

const CHECKS = "checks.json";

/**
 * Runs all scenarios of the conformance suite and returns the checks of each, by the scenario's name.
 *
 * @param {"server" | "client"} side what is tested
 * @param {readonly string[]} options of the suite
 * @param {{ program: string, results: string, env: NodeJS.ProcessEnv }} place `results` is a folder for what the suite writes
 * @returns {Promise<Map<string, { status: string, errorMessage?: string }[]>>}
 */
export async function runScenarios(side, options, { program, results, env }) {
  const args = [program, side, "--suite", "all", "--output-dir", results, ...options];
  // It exits with 1 where a scenario fails, also where that is expected.
  const output = await runCommand(process.execPath, args, { env }).then(
    ({ output }) => output,
    (error) => error.output ?? String(error),
  );
  if (!output.includes("SUMMARY")) throw new Error(`The conformance suite ended early.\n${output}`);
  const files = readdirSync(results, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(`/${CHECKS}`),
  );
  return new Map(
    files.map((path) => [scenarioOf(dirname(path)), JSON.parse(readFileSync(`${results}/${path}`, "utf8"))]),
  );
}

/** `server-ping-2026-11-28T05-37-41-245Z` is of `ping`. */
function scenarioOf(folder) {
  return folder.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, "");
}
