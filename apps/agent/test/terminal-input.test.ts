import { join } from "node:path";
import { PassThrough } from "node:stream";
import { fsSessions } from "@skillwright/repository-fs";
import { expect, onTestFinished, test } from "vitest";
import { SHOUT } from "../../../packages/agent/test/test-agent.js";
import { chat } from "../src/terminal/chat.js";
import { terminalInput } from "../src/terminal/terminal-input.js";
import { testTerminal } from "./test-terminal.js";

function terminal() {
  const keyboard = Object.assign(new PassThrough(), { isTTY: true });
  let shown = "";
  const display = new PassThrough().on("data", (bytes: Buffer) => {
    shown += bytes.toString("utf8");
  });
  const input = terminalInput(keyboard, display);
  onTestFinished(() => input.close());
  return { input, keyboard, shown: () => shown };
}

test("Ctrl-C at a question leaves it unanswered, and the next line is an ordinary line", async () => {
  const { input, keyboard } = terminal();
  input.onInterrupt(() => undefined);
  const answer = input.ask("Run it? ");
  keyboard.write("\u0003");
  expect(await answer).toBeUndefined();
  const line = input.next("You: ");
  keyboard.write("what I meant\r");
  expect(await line).toBe("what I meant");
});

test("several pasted lines are one line, wherever the terminal cuts the paste", async () => {
  for (const cut of [0, 3, 7, 12, 26]) {
    const { input, keyboard } = terminal();
    const pasted = "\u001b[200~first\nsecond\r\nthird\n\u001b[201~";
    const line = input.next("You: ");
    keyboard.write(pasted.slice(0, cut));
    keyboard.write(pasted.slice(cut));
    keyboard.write(" and more\r");
    expect(await line, `cut at ${cut}`).toBe("first\nsecond\nthird and more");
  }
});

test("the terminal is asked to mark pastes, and told when this is no longer needed", () => {
  const { input, shown } = terminal();
  expect(shown()).toContain("\u001b[?2004h");
  input.close();
  expect(shown().endsWith("\u001b[?2004l")).toBe(true);
});

test("a named conversation is continued in the next start, without a server", async () => {
  const project = {
    "bundled/shout/SKILL.md": SHOUT["SKILL.md"],
    "bundled/shout/shout.sh": SHOUT["shout.sh"],
  };
  const first = await testTerminal(project);
  const before = await first.open(["--chat", "--session", "plan"]);
  first.type("what is the weather\n/quit\n");
  await chat(first.screen, before, first.input);
  await before.close();
  const later = await testTerminal({}, { folder: first.folder });
  await later.open(["--chat", "--session", "plan"]);
  const kept = fsSessions({ root: join(first.folder, "home", ".skillwright", "sessions") });
  const scope = { app: "agent", user: "local" };
  expect(await kept.list(scope)).toEqual(["plan"]);
  const record = await kept.get({ ...scope, session: "plan" });
  expect(JSON.stringify(record?.history)).toContain("what is the weather");
});
