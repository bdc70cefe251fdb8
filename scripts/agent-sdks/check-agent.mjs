import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { promisify } from "node:util";
import { root } from "../bootstrap/root.mjs";
import { lockedProject } from "../packing/locked-project.mjs";
import { runCommand } from "../run-command.mjs";
import { scriptedModel } from "./scripted-model.mjs";

const SCRIPT = [
  { tool: "skill_load", input: { skill: "count-words" } },
  { tool: "skill_run", input: { skill: "count-words", command: "sh count.sh", stdin: "to be or not to be" } },
];
/** What the skill's script writes about that text. */
const COUNTED = "This text has 6 words.";
/** Ends a program that an SDK keeps alive. */
const LIMIT = 120_000;

/**
 * Installs one program's SDK and the packed packages, compiles the program and runs it.
 *
 * @param {ReturnType<typeof import("../checks.mjs").checks>["check"]} check
 * @param {{ name: string, source: string, project: string, tarballs: string[] }} agent `source` is its folder, `project` the place of a copy
 */
export async function checkAgent(check, { name, source, project, tarballs }) {
  const { dependencies } = JSON.parse(readFileSync(`${source}/package.json`, "utf8"));
  const [[sdk = "", version] = []] = Object.entries(dependencies).filter(([one]) => SDK.test(one));
  const title = `${name} (${sdk} ${version})`;

  const installed = await check(`${title}: its lockfile and the packed packages install`, () =>
    lockedProject({ source, project, tarballs }),
  );
  if (!installed) return;
  await check(`${title}: the program compiles with the SDK's types`, () => compile(project));

  const model = await scriptedModel(SCRIPT);
  try {
    let printed = "";
    const ended = await check(`${title}: the program ends by itself`, async () => {
      printed = await run(project, model.origin);
      assert.deepEqual(model.refused, []);
    });
    if (!ended) return;
    const [first, second, third] = model.heard;
    await check(`${title}: the model gets the overview, and every skill tool with its fields`, async () => {
      assert.match(first?.text ?? "", /count-words<.*Counts the words of a text/);
      assert.deepEqual(fieldsOf(first?.tools ?? []), await ownFields());
    });
    await check(`${title}: the model gets the loaded skill and the output of its run`, () => {
      assert.match(second?.results[0] ?? "", /^<loaded_skill name="count-words"[\s\S]*sh count\.sh/);
      const { stdout, exit_code } = JSON.parse(third?.results[1] ?? "{}");
      assert.deepEqual([stdout, exit_code, model.heard.length], [`${COUNTED}\n`, 0, 3]);
    });
    await check(`${title}: the program prints the model's answer`, () => {
      assert.match(printed, new RegExp(`^The skill says: .*${COUNTED}`, "m"));
    });
  } finally {
    await model.close();
  }
}

/** The names of the SDKs; each program depends on one of them. */
const SDK =
  /^@(google\/adk|langchain\/langgraph|mastra\/core|openai\/agents|strands-agents\/sdk|voltagent\/core)$/;

async function compile(project) {
  const compilerOptions = {
    ...{ noEmit: true, declaration: false, declarationMap: false, emitDeclarationOnly: false },
    ...{ rootDir: project, typeRoots: [`${root}/node_modules/@types`] },
  };
  const configuration = { extends: `${root}/tsconfig.base.json`, compilerOptions, include: ["agent.ts"] };
  writeFileSync(`${project}/tsconfig.json`, JSON.stringify(configuration));
  const tsc = [`${root}/node_modules/typescript/bin/tsc`, "--pretty", "false", "-p", project];
  await runCommand(process.execPath, tsc, { cwd: project });
}

async function run(project, origin) {
  // Node 22.13 strips types only where it is asked to.
  const flags = ["--experimental-strip-types", "--disable-warning=ExperimentalWarning"];
  const env = {
    ...process.env,
    ...{ OPENAI_API_KEY: "none", OPENAI_BASE_URL: `${origin}/v1` },
    ...{ GEMINI_API_KEY: "none", GOOGLE_API_KEY: undefined, GOOGLE_GEMINI_BASE_URL: origin },
    ...{ OPENAI_AGENTS_DISABLE_TRACING: "1", MASTRA_TELEMETRY_DISABLED: "1" },
  };
  const options = { cwd: project, env, timeout: LIMIT };
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, "agent.ts"], options);
  return stdout;
}

/** The fields of the tools as this checkout has them. */
async function ownFields() {
  const { skillBox } = await import(`${root}/packages/skillbox/dist/index.js`);
  const { skillTools } = await import(`${root}/packages/tools/dist/index.js`);
  const tools = skillTools({ skills: skillBox({}), workspaces: {} });
  return fieldsOf(tools.map(({ name, inputSchema }) => ({ name, schema: inputSchema })));
}

function fieldsOf(tools) {
  return Object.fromEntries(tools.map(({ name, schema }) => [name, Object.keys(schema.properties).sort()]));
}
