/** Runs the packed tools in real loops of `ai` 6. Prints one `ok` line per check and exits with 1 at the first failure. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { applyStateDeltas, SkillError } from "@skillwright/core";
import { skillTools, storedApprovals } from "@skillwright/tools";
import { aiSdkTools } from "@skillwright/tools/ai-sdk";
import { generateText, stepCountIs, streamText } from "ai";
import { counterCatalog } from "./counter-catalog.mjs";
import { scriptedModel } from "./scripted-model.mjs";

const session = { app: "test", user: "ann", session: "s1" };
const tools = skillTools({ skills: counterCatalog() });
const go = [{ role: "user", content: "Go" }];
const RUN = call("skill_run", { skill: "counter", command: "ls" });
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

await check(
  "a call that waits for a person is an approval request, and runs once after the approval",
  async () => {
    const { run, approvals, runs } = waiting();
    const first = await run(go, [RUN]);
    assert.deepEqual([first.asked.length, runs.length], [1, 0]);
    const [question] = await approvals.list(session);
    assert.match(question.request.digest, /^sha256:/);
    const next = await run(approved(first), "Done.");
    assert.deepEqual([next.text, runs.length, (await approvals.list(session)).length], ["Done.", 1, 0]);
  },
);

await check("content that changed after the question is not run by its approval", async () => {
  const { run, approvals, runs, edit } = waiting();
  const first = await run(go, [RUN]);
  edit("Words are separated by tabs.\n");
  const next = await run(approved(first), "Done.");
  assert.equal(runs.length, 0);
  assert.match(JSON.stringify(next.prompt), /Its content changed since it was first asked/);
  assert.match((await approvals.list(session))[0].staleDigest, /^sha256:/);
});

await check("errors of core are recognised by code", () =>
  assert.ok(SkillError.is(new SkillError("REFUSED", "no"), "REFUSED")),
);

/** Loops over an untrusted skill, whose runs are recorded and not done. */
function waiting() {
  let usage = "Words are separated by blanks.\n";
  const runs = [];
  const approvals = storedApprovals();
  const isolation = { level: "namespace", by: "test" };
  const workspaces = {
    capabilities: async () => ({ isolation }),
    forSession: async () => ({ id: "w1", createdAt: "2026-01-01T00:00:00Z" }),
    run: async (_id, run) => {
      runs.push(run);
      const nothing = { text: "", totalBytes: 0, truncated: false };
      return {
        ...{ runId: "r1", workspaceId: "w1", cwd: "skills/counter", exitCode: 0, durationMs: 1, isolation },
        ...{ timedOut: false, aborted: false, treeEnded: true, diagnostics: [], outputs: [] },
        ...{ stdout: nothing, stderr: nothing },
      };
    },
  };
  const skills = counterCatalog({ trusted: false, usage: () => usage });
  const set = aiSdkTools(skillTools({ skills, workspaces, approvals }), {
    approvals,
    context: () => ({ session, state: {} }),
  });

  async function run(messages, ...steps) {
    const model = scriptedModel(...steps);
    const { content, text, response } = await generateText({
      ...{ model, tools: set, messages, stopWhen: stepCountIs(5) },
    });
    const asked = content.filter(({ type }) => type === "tool-approval-request");
    const { prompt } = model.doGenerateCalls.at(-1);
    return { asked, text, messages: [...messages, ...response.messages], prompt };
  }

  function edit(text) {
    usage = text;
  }

  return { run, approvals, runs, edit };
}

function approved({ messages, asked: [{ approvalId }] }) {
  return [
    ...messages,
    { role: "tool", content: [{ type: "tool-approval-response", approvalId, approved: true }] },
  ];
}

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
