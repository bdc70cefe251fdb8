import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { SessionRecord } from "@skillwright/records";
import { recordSessions } from "@skillwright/records";
import { memoryRecords } from "@skillwright/repository-memory";
import { describe, expect, onTestFinished, test } from "vitest";
import { profileFiles } from "../src/agent/profile-files.js";
import { scriptedModel } from "./scripted-model.js";
import { testAgent } from "./test-agent.js";

const session = { app: "test", user: "u", session: "s1" };
const FILE = ".skillwright/agent/AGENT.md";

describe("the agent's profile in a conversation", () => {
  test("without a folder, folder and default are created; the text is the history's first system message (AGENT-01)", async () => {
    const home = await folder();
    const { agent, history, prompts } = await profiled(home);
    await agent.chat("hello");
    const text = await readFile(join(home, FILE), "utf8");
    expect(text).toContain("# Agent profile");
    expect((await history())[0]).toEqual({ role: "system", content: text.trim() });
    expect(prompts[0]?.map(({ role }) => role)).toEqual(["system", "system", "user"]);
    expect(prompts[0]?.[1]?.content).toBe(text.trim());
  });

  test("a continued conversation does not get it again (AGENT-02)", async () => {
    const home = await folder();
    const records = memoryRecords();
    await (await profiled(home, records)).agent.chat("one");
    const { agent, history } = await profiled(home, records);
    await agent.chat("two");
    expect(roles(await history())).toEqual(["system", "user", "assistant", "user", "assistant"]);
  });

  test("after a reset the next turn starts with it (AGENT-03)", async () => {
    const home = await folder();
    const { agent, history } = await profiled(home);
    await agent.chat("one");
    await put(home, FILE, "You are new.");
    await agent.reset();
    await agent.chat("two");
    expect((await history()).slice(0, 2)).toEqual([
      { role: "system", content: "You are new." },
      { role: "user", content: "two" },
    ]);
  });

  test("every 3 turns its current text precedes the user's message 4, and stays in the history (AGENT-04)", async () => {
    const home = await folder();
    await put(home, FILE, "You are old.");
    const { agent, history } = await profiled(home, memoryRecords(), 3);
    await agent.chat("1");
    await agent.chat("2");
    await put(home, FILE, "You are new.");
    for (const message of ["3", "4", "5"]) await agent.chat(message);
    const said = (await history()).filter(({ role }) => role !== "assistant").map(({ content }) => content);
    expect(said).toEqual(["You are old.", "1", "2", "3", "You are new.", "4", "5"]);
  });

  test("with 0 it occurs once, however many turns there are (AGENT-05)", async () => {
    const { agent, history } = await profiled(await folder(), memoryRecords(), 0);
    for (let turn = 0; turn < 120; turn++) await agent.chat(String(turn));
    expect(roles(await history()).filter((role) => role === "system")).toHaveLength(1);
  });
});

describe("the files of a profile", () => {
  test("the user's, the agent's and the project's are combined, each read anew", async () => {
    const home = await folder();
    const project = await folder();
    await put(home, FILE, "User.\r\n");
    await put(home, ".skillwright/agent/writer/AGENT.md", "Writer.");
    await put(project, FILE, "Project.");
    const profile = profileFiles({ home, agent: "writer", project });
    expect(await profile.read()).toEqual({ text: "User.\n\nWriter.\n\nProject.", diagnostics: [] });
    await put(home, FILE, "  ");
    expect((await profile.read()).text).toBe("Writer.\n\nProject.");
    expect((await profileFiles({ home, agent: "reader" }).read()).text).toBe("");
  });

  test("an existing file is never overwritten, and an agent's name cannot lead elsewhere", async () => {
    const home = await folder();
    await put(home, FILE, "Mine.");
    await put(dirname(home), "AGENT.md", "Stranger.");
    onTestFinished(() => rm(join(dirname(home), "AGENT.md"), { force: true }));
    for (const agent of ["../../..", "..", "."])
      expect((await profileFiles({ home, agent }).read()).text).toBe("Mine.");
    expect(await readFile(join(home, FILE), "utf8")).toBe("Mine.");
  });

  test("only the beginning of a long one is used, with a diagnostic", async () => {
    const home = await folder();
    await put(home, FILE, "é".repeat(40_000));
    const { text, diagnostics } = await profileFiles({ home }).read();
    expect(text).toBe("é".repeat(16 * 1024));
    expect(diagnostics).toMatchObject([{ code: "profile.cut" }]);
  });

  test("one that cannot be created or read is reported, and the conversation continues", async () => {
    const home = await folder();
    await writeFile(join(home, ".skillwright"), "a file in its place");
    const { text, diagnostics } = await profileFiles({ home }).read();
    expect(text).toBe("");
    expect(diagnostics[0]).toMatchObject({ code: "profile.unreadable" });
    const { agent } = await profiled(home);
    const result = await agent.chat("hello");
    expect(result).toMatchObject({ finish: "answered" });
    expect(result.diagnostics).toContainEqual(expect.objectContaining({ code: "profile.unreadable" }));
  });
});

async function profiled(home: string, records = memoryRecords(), every = 100) {
  const { model, prompts } = scriptedModel([{ text: "ok" }]);
  const config = { session, agentPromptReinjectEvery: every };
  const agent = await testAgent({ model, records, config, profile: profileFiles({ home }) });
  const history = async () => messages(await recordSessions(records).get(session));
  return { agent, prompts, history };
}

type Message = { readonly role: string; readonly content: unknown };

function messages(record: SessionRecord | undefined): readonly Message[] {
  return (record?.history ?? []) as unknown as readonly Message[];
}

function roles(history: readonly Message[]): string[] {
  return history.map(({ role }) => role);
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "skillwright-profile-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

async function put(root: string, path: string, content: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), content);
}
