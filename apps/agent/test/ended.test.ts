import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { type TestTmux, testTmux } from "./test-tmux.js";

const program = fileURLToPath(new URL("../dist/main.js", import.meta.url));

const CHAT = ["--chat", "Type what you want done"] as const;
const SERVER = ["--serve --port 0", "token"] as const;
const typed =
  (...keys: readonly string[]) =>
  ({ tmux }: TestTmux) =>
    tmux("send-keys", "-t", ":", ...keys);
const killed = async ({ folder }: TestTmux) =>
  void process.kill(Number(await readFile(join(folder, "pid"), "utf8")), "SIGTERM");

if (hasAll("tmux", "apps/agent/dist"))
  test.each([
    ["the demo ends", "", "Done in", 0, async () => undefined],
    ["/quit is typed", ...CHAT, 0, typed("/quit", "Enter")],
    ["Ctrl-D is pressed", ...CHAT, 0, typed("C-d")],
    ["Ctrl-C is pressed twice", ...CHAT, 0, typed("C-c", "C-c")],
    ["a chat is killed", ...CHAT, 143, killed],
    ["Ctrl-C is pressed on a server", ...SERVER, 0, typed("C-c")],
    ["a server is killed", ...SERVER, 0, killed],
  ])(
    "on a terminal the program ends and leaves the terminal as it was, when %s",
    async (_when, args, text, code, end) => {
      const terminal = await testTmux({
        start: [
          'export HOME="$PWD"',
          "stty -g > before",
          `sh -c 'echo $$ > pid; exec "$@"' sh "${process.execPath}" "${program}" --model offline ${args}`,
          "code=$?",
          "stty -g > after",
          'echo "ended with $code"',
          "exec cat",
        ].join("\n"),
      });
      const { folder, tmux } = terminal;
      const screen = () => tmux("capture-pane", "-p", "-t", ":");
      await tmux("new-session", "-d", "-x", "80", "-y", "24", "-c", folder, "sh", "start");
      await expect.poll(screen, { timeout: 120_000 }).toContain(text);
      await end(terminal);
      await expect.poll(screen, { timeout: 120_000 }).toContain(`ended with ${code}`);
      const mode = (name: string) => readFile(join(folder, name), "utf8");
      expect(await mode("after")).toBe(await mode("before"));
    },
  );
