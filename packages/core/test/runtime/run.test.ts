import { expect, test } from "vitest";
import { type RunCommand, type RunHandle, run } from "../../src/adapter.js";
import { type RunResult, SkillError } from "../../src/index.js";
import type { RuntimeWorkspace } from "../../src/runtime/workspace-runtime.js";

const COMMAND: RunCommand = {
  runId: "r",
  command: "x",
  cwd: ".",
  env: {},
  timeoutMs: 1000,
  maxOutputBytes: 10,
};

/** A workspace whose only run reads its input to the end and then echoes it; `reads` limits how much it reads. */
function workspaceThat({ reads = Number.POSITIVE_INFINITY, outputs = [] as string[] } = {}) {
  const seen = { written: "", ended: false };
  let over: (result: RunResult) => void;
  const result = new Promise<RunResult>((resolve) => {
    over = resolve;
  });
  const end = () => over({ runId: "r", exitCode: 0, diagnostics: [] } as unknown as RunResult);
  const handle: RunHandle = {
    runId: "r",
    output: async function* () {
      for (const [offset, text] of outputs.entries())
        yield { stream: "stdout", offset, bytes: Buffer.from(text) };
    },
    write: async (bytes) => {
      if (seen.written.length + bytes.byteLength > reads) {
        end();
        throw new SkillError("CLOSED", "It reads no more.");
      }
      seen.written += Buffer.from(bytes).toString();
    },
    endInput: async () => {
      seen.ended = true;
      end();
    },
    signal: async () => end(),
    result,
  };
  const workspace = { start: async () => handle } as unknown as RuntimeWorkspace;
  return { workspace, seen, end };
}

test("standard input is fed to its end and then ended", async () => {
  const { workspace, seen } = workspaceThat();
  await run(workspace, { ...COMMAND, stdin: "hello" });
  expect(seen).toEqual({ written: "hello", ended: true });
});

test("without input, standard input is closed at once", async () => {
  const { workspace, seen } = workspaceThat();
  await run(workspace, COMMAND);
  expect(seen).toEqual({ written: "", ended: true });
});

test("an input that fails is a diagnostic of the result, after what was read of it", async () => {
  const { workspace, seen } = workspaceThat();
  const stdin = async function* () {
    yield Buffer.from("half");
    throw new Error("the disk is gone");
  };
  const { exitCode, diagnostics } = await run(workspace, { ...COMMAND, stdin: stdin() });
  expect(exitCode).toBe(0);
  expect(seen.written).toBe("half");
  expect(diagnostics).toMatchObject([{ code: "run.stdin-failed", severity: "error" }]);
  expect(diagnostics[0]?.message).toContain("the disk is gone");
});

test("an input that a broken connection has lost is a diagnostic of the result", async () => {
  const { workspace } = workspaceThat();
  const start: typeof workspace.start = async (...given) => ({
    ...(await workspace.start(...given)),
    write: async () => {
      throw new SkillError("CLOSED", "The connection ended.", { details: { connection: "lost" } });
    },
  });
  const { diagnostics } = await run({ ...workspace, start }, { ...COMMAND, stdin: "hello" });
  expect(diagnostics).toMatchObject([{ code: "run.stdin-failed", severity: "error" }]);
});

test("a command that stops reading is not an error", async () => {
  const { workspace } = workspaceThat({ reads: 3 });
  const { diagnostics } = await run(workspace, { ...COMMAND, stdin: "more than three" });
  expect(diagnostics).toEqual([]);
});

test("an input that never arrives does not delay the result", async () => {
  const { workspace, end } = workspaceThat();
  const stdin = async function* (): AsyncIterable<Uint8Array> {
    yield await new Promise<never>(() => undefined);
  };
  setTimeout(end, 20);
  const { diagnostics } = await run(workspace, { ...COMMAND, stdin: stdin() });
  expect(diagnostics).toEqual([]);
});

test("output is passed to the listener, whose exception is thrown once the command has ended", async () => {
  const heard: string[] = [];
  await run(workspaceThat({ outputs: ["a", "b"] }).workspace, COMMAND, {
    onOutput: ({ bytes }) => heard.push(Buffer.from(bytes).toString()),
  });
  expect(heard).toEqual(["a", "b"]);
  const { workspace, seen } = workspaceThat({ outputs: ["a"] });
  const failing = run(workspace, COMMAND, {
    onOutput: () => {
      throw new Error("the listener broke");
    },
  });
  await expect(failing).rejects.toThrow("the listener broke");
  expect(seen.ended).toBe(true);
});

test("an aborted run is not started", async () => {
  const started = { start: () => expect.unreachable("it was started") } as unknown as RuntimeWorkspace;
  const aborted = run(started, COMMAND, { signal: AbortSignal.abort() });
  await expect(aborted).rejects.toMatchObject({ code: "ABORTED" });
});
