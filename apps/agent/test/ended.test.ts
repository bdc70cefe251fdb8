import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished, test } from "vitest";
import { tmuxTerminal } from "../../../.ci/tmux-terminal.mjs";
import { hasAll } from "../../../test/needs/has-all.js";

type Terminal = Awaited<ReturnType<typeof tmuxTerminal>>;

const program = fileURLToPath(new URL("../dist/main.js", import.meta.url));

const CHAT = ["--chat", /Type what you want done/] as const;
const SERVER = ["--serve --port 0", /token/] as const;
const pressed =
  (...keys: string[]) =>
  ({ press }: Terminal) =>
    press(...keys);
const killed = async ({ pid }: Terminal) => void process.kill(pid(), "SIGTERM");

if (hasAll("tmux", "apps/agent/dist"))
  test.each([
    ["the demo ends", "", /Done in/, 0, async () => undefined],
    ["/quit is typed", ...CHAT, 0, ({ type }: Terminal) => type("/quit")],
    ["Ctrl-D is pressed", ...CHAT, 0, pressed("C-d")],
    ["Ctrl-C is pressed twice", ...CHAT, 0, pressed("C-c", "C-c")],
    ["a chat is killed", ...CHAT, 143, killed],
    ["Ctrl-C is pressed on a server", ...SERVER, 0, pressed("C-c")],
    ["a server is killed", ...SERVER, 0, killed],
  ])(
    "on a terminal the program ends and leaves the terminal as it was, when %s",
    async (_when, args, text, code, end) => {
      const folder = await mkdtemp(join(tmpdir(), "sw-ended-"));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      const command = `"${process.execPath}" "${program}" --model offline ${args}`;
      const terminal = await tmuxTerminal(command, { cwd: folder, home: folder });
      onTestFinished(() => terminal.close());
      await terminal.until(text);
      await end(terminal);
      await terminal.ends(code);
    },
  );
