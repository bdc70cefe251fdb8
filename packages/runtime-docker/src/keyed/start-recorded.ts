import { constants as system } from "node:os";
import { getSystemErrorName } from "node:util";
import { type ByteStream, type CallOptions, SkillError } from "@skillwright/core";
import type { RunStream } from "@skillwright/supervisor";
import type { WorkspaceContainer } from "../container/workspace-container.js";

export interface RecordedStart {
  readonly words: readonly string[];
  /** The bytes of `--put`. */
  readonly files: ByteStream;
  readonly note: string;
}

/**
 * Starts a recorded run. Returns the supervisor's answer: `started`, or why not. Its host may be gone before.
 * @throws SkillError `BACKEND_FAILED`, `ABORTED`, and whatever the source of the files throws.
 */
export async function startRecorded(
  { engine }: WorkspaceContainer,
  stream: RunStream,
  { words, files, note }: RecordedStart,
  options: CallOptions,
): Promise<string> {
  let answer = "";
  let said = "";
  let answered = () => {};
  const answering = new Promise<void>((resolve) => {
    answered = resolve;
  });
  const command = stream.start({
    arguments: ["run", "--files", "--put", "5", ...words],
    inputs: [5],
    note,
    onBytes: (descriptor, bytes) => {
      const text = Buffer.from(bytes).toString("latin1");
      if (descriptor === 1) answer += text;
      else said += text;
      if (answer.includes("\n")) answered();
    },
  });
  void command.ended.then(answered);
  const feed = async () => {
    for await (const bytes of files) await command.write(5, bytes);
  };
  const begin = async () => {
    // It stops reading when it cannot store a file.
    await feed().catch((error: unknown) => {
      if (!SkillError.is(error, "CLOSED")) throw error;
    });
    command.end(5);
    await answering;
  };
  try {
    await engine.call("Starting a run with a key", begin, options);
  } catch (error) {
    command.end(5);
    throw error;
  }
  const line = answer.split("\n")[0] ?? "";
  const full = [system.errno.ENOSPC, system.errno.EDQUOT].map((errno) => `failed put ${errno}`);
  if (full.includes(line)) throw isFull();
  return line || said.trim();
}

/** Nobody claimed the key, so nothing was started. */
export function notBegun(answer: string): SkillError {
  const [, step, errno] = /^failed (\w+) (\d+)$/.exec(answer) ?? [];
  const why = step
    ? `the step "${step}" failed with ${getSystemErrorName(-Number(errno))}`
    : `its supervisor did not begin (${answer.slice(0, 300) || "it gave no reason"})`;
  return new SkillError(
    "BACKEND_FAILED",
    `The command was not started: ${why}. Check \`skillwright doctor\`.`,
  );
}

function isFull(): SkillError {
  return new SkillError(
    "LIMIT_EXCEEDED",
    "The run with a key was not started, because the storage of the workspace is full. Remove unneeded files from work/, out/ and runs/.",
  );
}
