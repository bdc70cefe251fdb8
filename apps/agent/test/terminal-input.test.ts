import { once } from "node:events";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { recordSessions } from "@skillwright/records";
import { fsRecords } from "@skillwright/repository-fs";
import { expect, onTestFinished, test } from "vitest";
import { SHOUT } from "../../../packages/agent/test/test-agent.js";
import { chat } from "../src/terminal/chat.js";
import { terminalInput } from "../src/terminal/terminal-input.js";
import { testTerminal } from "./test-terminal.js";

function terminal({ isTTY = true, isRaw = false } = {}) {
  const keyboard = Object.assign(new PassThrough(), {
    ...{ isTTY, isRaw },
    setRawMode: (mode: boolean) => Object.assign(keyboard, { isRaw: mode }),
  });
  let shown = "";
  const display = new PassThrough().on("data", (bytes: Buffer) => {
    shown += bytes.toString("utf8");
  });
  const input = terminalInput(keyboard, display);
  onTestFinished(() => input.close());
  return { input, keyboard, shown: () => shown };
}

/** Bytes that the input reads before the next ones are written. */
async function arrives(keyboard: PassThrough, bytes: Buffer | string): Promise<void> {
  if (bytes.length === 0) return;
  const read = once(keyboard, "data");
  keyboard.write(bytes);
  await read;
}

const LINE_SEPARATORS = "one\u2028two\u2029three";

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
    await arrives(keyboard, pasted.slice(0, cut));
    keyboard.write(pasted.slice(cut));
    keyboard.write(" and more\r");
    expect(await line, `cut at ${cut}`).toBe("first\nsecond\nthird and more");
  }
});

test("a character that arrives in two parts stays one character", async () => {
  const { input, keyboard } = terminal();
  const line = input.next("You: ");
  const bytes = Buffer.from("größer\r");
  await arrives(keyboard, bytes.subarray(0, 3));
  keyboard.write(bytes.subarray(3));
  expect(await line).toBe("größer");
});

test.each([true, false])("a Unicode line separator does not end a line (terminal: %s)", async (isTTY) => {
  const { input, keyboard } = terminal({ isTTY });
  const line = input.next("You: ");
  keyboard.write(`${LINE_SEPARATORS}\n`);
  expect(await line).toBe(LINE_SEPARATORS);
});

test.each([
  ["is closed", ""],
  ["ends with Ctrl-D", "\u0004"],
])("the terminal is asked to mark pastes, and told when the input %s", async (_how, key) => {
  const { input, keyboard, shown } = terminal();
  expect(shown()).toContain("\u001b[?2004h");
  if (key) {
    const line = input.next("You: ");
    keyboard.write(key);
    expect(await line).toBeUndefined();
  }
  input.close();
  input.close();
  expect(shown().split("\u001b[?2004l")).toHaveLength(2);
});

test.each([true, false])("a closed input reads no more (terminal: %s)", async (isTTY) => {
  const { input, keyboard } = terminal({ isTTY });
  const line = input.next("You: ");
  keyboard.write("typed\n");
  expect(await line).toBe("typed");
  input.close();
  expect(keyboard.isPaused()).toBe(true);
  keyboard.write("for the next program");
  expect(keyboard.read()?.toString()).toBe("for the next program");
});

test.each([true, false])(
  "raw mode is as it was before when the input is closed (raw before: %s)",
  (isRaw) => {
    const { input, keyboard } = terminal({ isRaw });
    expect(keyboard.isRaw).toBe(true);
    input.close();
    expect(keyboard.isRaw).toBe(isRaw);
  },
);

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
  const kept = fsRecords({ root: join(first.folder, "home", ".skillwright", "records") });
  const { records } = await kept.list(["session", "agent", "local"]);
  expect(records.map(({ name }) => name)).toEqual(["plan"]);
  const record = await recordSessions(kept).get({ app: "agent", user: "local", session: "plan" });
  expect(JSON.stringify(record?.history)).toContain("what is the weather");
});
