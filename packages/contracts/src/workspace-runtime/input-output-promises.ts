import assert from "node:assert/strict";
import type { RunHandle } from "@skillwright/core/adapter";
import { failsWith } from "../fails-with.js";
import { inTime } from "../in-time.js";
import { command, inWorkspace, printed, type RuntimePromise, runText } from "./subject.js";

export const inputOutputPromises: readonly RuntimePromise[] = [
  inWorkspace(
    "input/empty",
    "A command without input reads end-of-file at once (PROC-08).",
    async (workspace) => {
      const handle = await workspace.start(command("cat; echo end"));
      await failsWith(handle.write(Buffer.from("x")), "CLOSED");
      assert.equal((await inTime(handle.result, "The run")).stdout.text, "end\n");
    },
  ),
  inWorkspace(
    "input/stream",
    "A stream given as standard input is passed to the command completely.",
    async (workspace) => {
      const stdin = async function* () {
        for (let i = 0; i < 50; i++) yield Buffer.alloc(20_000, "a");
      };
      assert.equal((await printed(workspace, "wc -c", { stdin: stdin() })).trim(), "1000000");
    },
  ),
  inWorkspace(
    "input/unread",
    "A command may end without reading its input, and the run settles.",
    async (workspace) => {
      const stdin = Buffer.alloc(4 * 1024 * 1024);
      const result = await inTime(runText(workspace, "exec 0<&-; echo done", { stdin }), "The run");
      assert.deepEqual([result.exitCode, result.stdout.text], [0, "done\n"]);
    },
  ),
  inWorkspace(
    "input/interactive",
    "An interactive run accepts input until the input is ended; write() then fails with CLOSED.",
    async (workspace) => {
      const handle = await workspace.start(command("read a; echo got $a; cat", { interactive: true }));
      await handle.write(Buffer.from("one\n"));
      await inTime(seen(handle, "got one\n"), "The answer");
      await handle.write(Buffer.from("two"));
      await handle.endInput();
      await failsWith(handle.write(Buffer.from("late")), "CLOSED");
      assert.equal((await inTime(handle.result, "The run")).stdout.text, "got one\ntwo");
      await failsWith(handle.write(Buffer.from("later")), "CLOSED");
      await handle.endInput();
    },
  ),
  inWorkspace(
    "output/devices",
    "Commands can open /dev/stdout and /dev/stderr by name.",
    async (workspace) => {
      const { stdout, stderr } = await runText(
        workspace,
        "echo a > /dev/stdout; echo b | tee /dev/stderr > /dev/null",
      );
      assert.deepEqual([stdout.text, stderr.text], ["a\n", "b\n"]);
    },
  ),
  inWorkspace(
    "output/live",
    "Output can be read while the command runs, and from an offset afterwards.",
    async (workspace) => {
      const handle = await workspace.start(
        command("echo one; read a; echo two >&2; echo three", { interactive: true }),
      );
      await inTime(seen(handle, "one\n"), "The first line");
      await handle.write(Buffer.from("go\n"));
      await handle.result;
      assert.equal(await everything(handle), "one\ntwo\nthree\n".split("\n").sort().join("\n"));
      assert.equal(await everything(handle, 4), "two\nthree\n".split("\n").sort().join("\n"));
      assert.equal(await everything(handle, 100), "");
    },
  ),
  inWorkspace(
    "output/capped",
    "Long output is cut to its beginning and end, but counted in full, and never blocks the command (OUT-02).",
    async (workspace) => {
      const text =
        "printf BEGIN; head -c 10485760 /dev/zero | tr '\\0' a; printf END; head -c 300000 /dev/zero >&2; echo -n x >&2";
      const { exitCode, stdout, stderr } = await runText(workspace, text, { maxOutputBytes: 10_000 });
      assert.deepEqual([exitCode, stdout.totalBytes, stderr.totalBytes], [0, 10_485_768, 300_001]);
      assert.deepEqual([stdout.truncated, stderr.truncated], [true, true]);
      assert.match(stdout.text, /^BEGINa+\n.*\na+END$/);
      assert(
        stdout.text.length < 10_200 && stdout.text.length > 9_900,
        `${stdout.text.length} characters are kept`,
      );
      assert.match(stderr.text, /x$/);
    },
  ),
  inWorkspace(
    "output/text",
    "Bytes that are not UTF-8 are returned as replacement characters (OUT-03).",
    async (workspace) => {
      const { stdout } = await runText(workspace, String.raw`printf 'a\377\000\303b'`);
      assert.deepEqual([stdout.text, stdout.totalBytes], ["a\ufffd\0\ufffdb", 5]);
    },
  ),
];

/** Waits until the run has written the text to standard output. */
async function seen(handle: RunHandle, text: string): Promise<void> {
  let all = "";
  for await (const { stream, bytes } of handle.output()) {
    if (stream === "stdout") all += Buffer.from(bytes).toString();
    if (all.includes(text)) return;
  }
  assert.fail(`The run ended without ${JSON.stringify(text)}, it wrote ${JSON.stringify(all)}.`);
}

/** Sorted lines: the order between the two streams is not promised. */
async function everything(handle: RunHandle, from = 0): Promise<string> {
  let all = "";
  for await (const { bytes } of handle.output({ from })) all += Buffer.from(bytes).toString();
  return all.split("\n").sort().join("\n");
}
