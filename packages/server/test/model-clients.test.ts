import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import Anthropic from "@anthropic-ai/sdk";
import type { SessionScope, SessionState, ToolResult } from "@skillwright/core";
import { memoryArtifacts, memoryRepository } from "@skillwright/repository-memory";
import { localRuntime } from "@skillwright/runtime-local";
import { skillBox } from "@skillwright/skillbox";
import { skillTools } from "@skillwright/tools";
import { anthropicTools } from "@skillwright/tools/anthropic";
import { openAiTools } from "@skillwright/tools/openai";
import { workspaceManager } from "@skillwright/workspace";
import OpenAI from "openai";
import { expect, onTestFinished, test } from "vitest";
import { SHOUT } from "../../agent/test/test-agent.js";
import { type FakeModel, fakeModel } from "./fake-model.js";
import { allEvents, ask, newConversation, say, testServer } from "./test-server.js";

const command = "sh shout.sh inputs/note.txt > out/loud.txt && cat out/loud.txt";
const run = { skill: "shout", command, output_files: ["out/**"], save_as_artifacts: true };
const STEPS = [
  { call: { name: "skill_load", input: { skill: "shout" } } },
  { call: { name: "skill_run", input: run } },
  { text: "It is loud." },
];

/** What every client must end with. */
interface Ending {
  readonly answer: string;
  /** What the model was told of its two calls: the text of the skill, and the result of the run. */
  readonly results: readonly unknown[];
  readonly artifact: string;
}

const CLIENTS: Readonly<Record<string, (model: FakeModel) => Promise<Ending>>> = {
  "the AI SDK, as OpenAI": (model) => overServer(model, "openai"),
  "the AI SDK, as Anthropic": (model) => overServer(model, "anthropic"),
  openai: (model) => overTools(model, openAiLoop),
  "@anthropic-ai/sdk": (model) => overTools(model, anthropicLoop),
};

test.each(Object.keys(CLIENTS))(
  "SERVE-62: a turn over %s ends with the same run as over every other client",
  async (name) => {
    const model = await fakeModel(STEPS);
    const ending = await CLIENTS[name]?.(model);
    expect(ending?.answer).toBe("It is loud.");
    expect(ending?.artifact).toBe("QUIET\n");
    const [loaded, ran] = ending?.results ?? [];
    expect(loaded).toMatch(/^<loaded_skill name="shout"[^>]*>\n# Shout\n/);
    expect(JSON.parse(String(ran))).toMatchObject({
      ...{ exit_code: 0, timed_out: false, stdout: "QUIET\n" },
      artifact_files: [{ name: "out/loud.txt", version: 0 }],
    });
    expect(model.requests).toHaveLength(3);
  },
);

/** A turn of the server, whose agent speaks to the model through the AI SDK; its events are streamed. */
async function overServer(model: FakeModel, provider: "openai" | "anthropic"): Promise<Ending> {
  const modelConfig = { provider, model: "fake", apiKey: "none", baseURL: `${model.origin}/v1` };
  const server = testServer({ agents: { assistant: { modelConfig } } });
  const conversation = await newConversation(server);
  await ask(server, `/conversations/${conversation}/uploads/note.txt`, { method: "PUT", body: "quiet\n" });
  const events = await allEvents(await say(server, conversation, "Make it loud"));
  const answer = events.flatMap(({ data }) =>
    data !== "[DONE]" && data["type"] === "text-delta" ? [data["delta"]] : [],
  );
  const artifact = await ask(server, `/conversations/${conversation}/artifacts/content?name=out/loud.txt`);
  return { answer: answer.join(""), results: resultsIn(model), artifact: await artifact.text() };
}

/** The last request has them all. */
function resultsIn({ requests }: FakeModel): readonly unknown[] {
  const messages: readonly SentMessage[] = requests.at(-1)?.body.messages ?? [];
  return messages.flatMap(({ role, content }) => {
    if (role === "tool") return [content];
    if (role !== "user" || typeof content === "string") return [];
    return content.filter(({ type }) => type === "tool_result").map((block) => plain(block.content));
  });
}

/** A message of either protocol. */
interface SentMessage {
  readonly role: string;
  readonly content: string | readonly { readonly type: string; readonly content: BlockContent }[];
}

type BlockContent = string | readonly { readonly text: string }[];

function plain(content: BlockContent): string {
  return typeof content === "string" ? content : content.map(({ text }) => text).join("");
}

interface Tools {
  readonly tools: ReturnType<typeof skillTools>;
  readonly options: {
    readonly context: () => { readonly session: SessionScope; readonly state: SessionState };
    readonly onResult?: (call: unknown, result: ToolResult) => void;
  };
}

/** A loop of the client's own over the same tools. */
async function overTools(
  model: FakeModel,
  loop: (origin: string, tools: Tools) => Promise<string>,
): Promise<Ending> {
  const session = { app: "clients", user: "ada", session: "one" };
  const skills = skillBox({ test: memoryRepository({ skills: { shout: SHOUT } }) });
  const runtime = localRuntime({ isolation: "auto" });
  const artifacts = memoryArtifacts();
  const workspaces = workspaceManager({ skills, runtime, artifacts, destroyOnClose: true });
  onTestFinished(async () => {
    await workspaces.close();
    await runtime.close();
    await skills.close();
  });
  const { id } = await workspaces.forSession(session);
  await workspaces.upload(id, "note.txt", "quiet\n");
  const tools = skillTools({ skills, workspaces });
  const answer = await loop(model.origin, { tools, options: { context: () => ({ session, state: {} }) } });
  const saved = await artifacts.open(session, "out/loud.txt");
  return { answer, results: resultsIn(model), artifact: await text(Readable.from(saved.content)) };
}

async function openAiLoop(origin: string, { tools, options }: Tools): Promise<string> {
  const client = new OpenAI({ apiKey: "none", baseURL: `${origin}/v1`, maxRetries: 0 });
  const set = openAiTools(tools, options);
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "Make it loud" }];
  for (;;) {
    const stream = client.chat.completions.stream({ model: "fake", messages, tools: set.chat });
    const message = (await stream.finalChatCompletion()).choices[0]?.message;
    if (!message) throw new Error("The model said nothing.");
    messages.push(message, ...(await set.answerChat(message)));
    if (!message.tool_calls) return message.content ?? "";
  }
}

async function anthropicLoop(origin: string, { tools, options }: Tools): Promise<string> {
  const client = new Anthropic({ apiKey: "none", baseURL: origin, maxRetries: 0 });
  const set = anthropicTools(tools, options);
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Make it loud" }];
  for (;;) {
    const request = { model: "fake", max_tokens: 1000, messages, tools: set.tools };
    const { content } = await client.messages.stream(request).finalMessage();
    messages.push({ role: "assistant", content });
    const answer = await set.answer(content);
    if (!answer) return content.map((block) => (block.type === "text" ? block.text : "")).join("");
    messages.push(answer);
  }
}
