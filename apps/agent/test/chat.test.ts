import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { openaiServer } from "../../../packages/agent/test/openai-server.js";
import { SHOUT } from "../../../packages/agent/test/test-agent.js";
import { chat } from "../src/terminal/chat.js";
import { testTerminal } from "./test-terminal.js";

const project = {
  "bundled/shout/SKILL.md": SHOUT["SKILL.md"],
  "bundled/shout/shout.sh": SHOUT["shout.sh"],
  "note.txt": "hello\n",
};

describe("the terminal chat", () => {
  test("reads its lines from a pipe: commands, an upload, a request, the end", async () => {
    const terminal = await testTerminal(project);
    const app = await terminal.open(["--chat"]);
    terminal.type(
      "/skills\n/upload note.txt\n/files\nwrite it in capital letters\n/files\n/reset\n/help\n/quit\nnever read\n",
    );
    expect(await chat(terminal.screen, app, terminal.input)).toBe(0);
    const shown = terminal.shown();
    expect(shown).toMatch(/shout bundled\n {4}Writes a text file/);
    expect(shown).toContain("note.txt → work/inputs/note.txt, 6 B");
    expect(shown).toMatch(/\/files\n {2}work\/inputs\/note\.txt {2}text\/plain, 6 B\n/);
    expect(shown).toContain("HELLO");
    expect(shown).toMatch(/out\/loud\.txt {2}text\/plain, 6 B/);
    expect(shown).toContain("The conversation was deleted");
    expect(shown).toMatch(/\/upload FILE +copy a file/);
    expect(shown).not.toContain("never read");
  });

  test("accepts the commands of skills in addition to its own, under names that are free", async () => {
    const named = "---\nname: reset\ndescription: Begins anew.\nargument-hint: '[file]'\n---\n";
    const terminal = await testTerminal({ ...project, "bundled/reset/SKILL.md": named });
    const app = await terminal.open(["--chat"]);
    terminal.type("/help\n/compact\n/upload note.txt\n/shout this file in capital letters\n/quit\n");
    await chat(terminal.screen, app, terminal.input);
    const shown = terminal.shown();
    expect(shown).toMatch(/\/reset +delete the conversation[\s\S]*\/reset_2 \[file\] +Begins anew\./);
    expect(shown).toMatch(/\/shout +Writes a text file in capital letters\./);
    expect(shown).toContain("There is nothing to summarize yet.");
    expect(shown).toContain("HELLO");
  });

  test("commands may be in capitals, ~/ is the home directory, and the upload of a folder is refused with the remedy", async () => {
    const terminal = await testTerminal(project);
    vi.stubEnv("HOME", terminal.folder);
    const app = await terminal.open(["--chat"]);
    terminal.type("/Skills\n/UPLOAD ~/note.txt\n/upload bundled\n/Nothing\n/quit\n");
    await chat(terminal.screen, app, terminal.input);
    const shown = terminal.shown();
    expect(shown).toMatch(/shout bundled\n {4}Writes a text file/);
    expect(shown).toContain("~/note.txt → work/inputs/note.txt, 6 B");
    expect(shown).toMatch(/bundled is a folder\.[\s\S]*--workspace bundled/);
    expect(shown).toContain("There is no command /Nothing");
  });

  test("the end of the input ends it; mistakes are reported with the remedy and the chat continues", async () => {
    const terminal = await testTerminal(project);
    const app = await terminal.open(["--chat"]);
    terminal.type("/upload\n/upload gone.txt\n/frobnicate\nwhat is the weather\n");
    terminal.end();
    expect(await chat(terminal.screen, app, terminal.input)).toBe(0);
    const shown = terminal.shown();
    expect(shown).toContain("Write /upload FILE");
    expect(shown).toMatch(/There is no file gone\.txt[\s\S]*absolute one/);
    expect(shown).toContain("There is no command /frobnicate. /help lists the commands");
    expect(shown).toContain("No skill matches");
  });

  test("an unreachable model is reported with what to check, and the next line is accepted", async () => {
    const server = await openaiServer([{ status: 401 }, { text: "Now it works." }]);
    const terminal = await testTerminal(project);
    const env = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: server.baseURL };
    const app = await terminal.open(["--chat", "--model", "openai:served"], env);
    terminal.type("hello\nhello again\n");
    terminal.end();
    await chat(terminal.screen, app, terminal.input);
    expect(terminal.shown()).toMatch(/✗ The model [\s\S]*API key is correct[\s\S]*Now it works\./);
  });

  test("Ctrl-C ends the turn and the chat continues; pressing it twice ends the chat", async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      silent.closeAllConnections();
      silent.close();
    });
    const address = silent.address() as AddressInfo;
    const terminal = await testTerminal(project, { person: true });
    const env = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: `http://127.0.0.1:${address.port}/v1` };
    const app = await terminal.open(["--chat"], env);
    const chatting = chat(terminal.screen, app, terminal.input);
    await terminal.until("You: ");
    terminal.type("hello\n");
    await terminal.until("overview");
    terminal.type("\u0003");
    await terminal.until("The turn was stopped before there was an answer.");
    await terminal.until("You: ");
    terminal.type("/files\n");
    await terminal.until("There are no files yet");
    await terminal.until("You: ");
    terminal.type("\u0003");
    await terminal.until("press Ctrl-C again or type /quit to exit");
    terminal.type("\u0003");
    expect(await chatting).toBe(0);
  });
});
