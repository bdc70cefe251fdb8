/** Runs the packed tools in real loops of `ai` 6. Prints one `ok` line per check and exits with 1 at the first failure. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { applyStateDeltas, SkillError } from "@skillwright/core";
import { skillTools } from "@skillwright/tools";
import { aiSdkTools } from "@skillwright/tools/ai-sdk";
import { generateText, stepCountIs, streamText } from "ai";
import { counterCatalog } from "./counter-catalog.mjs";
import { scriptedModel } from "./scripted-model.mjs";

const session = { app: "test", user: "ann", session: "s1" };
const tools = skillTools({ skills: counterCatalog() });
let count = 0;

const { version } = JSON.parse(readFileSync(new URL("./node_modules/ai/package.json", import.meta.url)));
await check(`ai ${version} is the major that is meant, on Node ${process.version}`, () =>
  assert.match(version, /^6\./),
);

await check("the model is given every tool with its own schema", async () => {
  const { model } = await loop("Nothing to do.");
  assert.deepEqual(
    model.doGenerateCalls[0].tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
    })),
    tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
  );
});

await check("a loop loads a skill and sees its body as text", async () => {
  const { text, outputs, heard } = await loop([call("skill_load", { skill: "counter" })], "Loaded.");
  assert.equal(text, "Loaded.");
  assert.equal(outputs[0].type, "text");
  assert.match(outputs[0].value, /^<loaded_skill name="counter" source="own">\nCount the words/);
  assert.deepEqual(heard[0].result.stateDelta, { "temp:skill:loaded:counter": "1" });
});

await check("a wrong field comes back as an error that names it, and the loop goes on", async () => {
  const { text, outputs } = await loop(
    [call("skill_load", { name: "counter" })],
    [call("skill_load", { skill: "counter" })],
    "Then right.",
  );
  assert.equal(text, "Then right.");
  assert.deepEqual(
    outputs.map(({ type }) => type),
    ["error-json", "text"],
  );
  assert.equal(outputs[0].value.error.code, "INPUT_INVALID");
  assert.match(outputs[0].value.error.message, /"skill" is required/);
});

await check("two calls of one step give their deltas in the order of the calls", async () => {
  const { heard, outputs } = await loop(
    [
      call("skill_load", { skill: "counter" }),
      call("skill_select_docs", { skill: "counter", docs: ["USAGE.md"] }),
    ],
    "Both.",
  );
  const deltas = heard.sort((a, b) => a.order - b.order).map(({ result }) => result.stateDelta);
  assert.deepEqual(applyStateDeltas({}, deltas), {
    "temp:skill:loaded:counter": "1",
    "temp:skill:docs:counter": '["USAGE.md"]',
  });
  assert.match(outputs[1].value, /Words are separated by blanks/);
});

await check("streamText drives the same tools", async () => {
  const model = scriptedModel([call("skill_list_docs", { skill: "counter" })], "One document.");
  const stream = streamText({ model, tools: toolSet([]), prompt: "Go", stopWhen: stepCountIs(5) });
  assert.equal(await stream.text, "One document.");
  assert.deepEqual(outputsOf(model.doStreamCalls), [{ type: "json", value: ["USAGE.md"] }]);
});

await check("errors of core are recognised by code", () =>
  assert.ok(SkillError.is(new SkillError("REFUSED", "no"), "REFUSED")),
);

async function loop(...steps) {
  const model = scriptedModel(...steps);
  const heard = [];
  const { text } = await generateText({
    model,
    tools: toolSet(heard),
    prompt: "Go",
    stopWhen: stepCountIs(5),
  });
  return { model, text, heard, outputs: outputsOf(model.doGenerateCalls) };
}

function toolSet(heard) {
  return aiSdkTools(tools, {
    context: () => ({ session, state: {} }),
    onResult: ({ toolName: name, toolCallId: id, order }, result) => heard.push({ name, id, result, order }),
  });
}

/** The tool results in the last prompt. */
function outputsOf(calls) {
  const messages = calls.at(-1).prompt.filter(({ role }) => role === "tool");
  return messages.flatMap(({ content }) => content.map(({ output }) => output));
}

function call(tool, input) {
  return { tool, input };
}

async function check(name, run) {
  try {
    await run();
    console.log(`ok ${++count} ${name}`);
  } catch (error) {
    console.error(`not ok ${++count} ${name}\n`, error);
    process.exit(1);
  }
}
