import assert from "node:assert/strict";
import { runCommand } from "../run-command.mjs";

/**
 * Uses a server as a person would with the command line of the MCP Inspector: lists and judges its tools, runs a skill, reads
 * resources and compares the skills with their digests.
 *
 * @param {readonly string[]} target options and the command or address of the server
 * @param {{ program: string, cwd: string, env: NodeJS.ProcessEnv }} place
 */
export async function useInspector(target, { program, cwd, env }) {
  const ask = async (/** @type {readonly string[]} */ ...call) => {
    const args = [program, "--cli", "--quiet", "--format", "json", ...call, ...target];
    const { stdout } = await runCommand(process.execPath, args, { cwd, env });
    return JSON.parse(stdout);
  };

  const { result: listed } = await ask("--method", "tools/list", "--strict");
  assert.ok(listed.tools.some(({ name }) => name === "skill_run"));

  const input = JSON.stringify({ skill: "greet", command: "sh greet.sh Ada" });
  const call = ["--method", "tools/call", "--tool-name", "skill_run", "--tool-args-json", input];
  const { content, isError } = (await ask(...call)).result;
  assert.equal(isError, undefined, JSON.stringify(content));
  assert.equal(JSON.parse(content[0].text).exit_code, 0);
  assert.equal(content.find(({ type }) => type === "resource_link")?.uri, "workspace://out/greeting.txt");
  assert.equal(content.find(({ type }) => type === "resource")?.resource.text, "Hello, Ada\n");

  const uri = "skill://greet/SKILL.md";
  const { resources } = (await ask("--method", "resources/list")).result;
  assert.ok(resources.some((resource) => resource.uri === uri));
  const { contents } = (await ask("--method", "resources/read", "--uri", uri)).result;
  assert.match(contents[0].text, /^---\nname: greet\n/);

  const verified = await ask("--method", "skills/list", "--verify", "--require-digests");
  assert.equal(verified.outcome, "verified");
  assert.equal(verified.files.length, 2);
}
