import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Duplex, Readable } from "node:stream";
import { supervisorProgram } from "../src/index.js";

export const ownProgram = supervisorProgram()?.path ?? "";
/** The user of a command if the tests run as root. */
export const otherUser = process.getuid?.() === 0 ? ["--user", "65534", "--group", "65534"] : [];

interface Surroundings {
  /** Arguments before the program, such as an emulator. */
  readonly before?: readonly string[];
  /** The descriptors that the supervisor inherits as 5, 6, ... */
  readonly descriptors?: readonly number[];
  readonly env?: NodeJS.ProcessEnv;
  /** The supervisor to use, if it is not this machine's. */
  readonly program?: string;
}

/** Starts `run` with a report on descriptor 3 and control on 4. Nothing of it outlives `ended`. */
export function supervised(
  options: readonly string[],
  command: readonly string[],
  { before = [], descriptors = [], env = process.env, program = ownProgram }: Surroundings = {},
) {
  const [file = "", ...args] = [...before, program, "run", "--report", "3", "--control", "4", ...options];
  const child = spawn(file, [...args, "--", ...command], {
    stdio: ["ignore", "pipe", "pipe", "pipe", "pipe", ...descriptors],
    env,
  });
  const [, , , reportPipe, control] = child.stdio as unknown as [null, Readable, Readable, Readable, Duplex];
  control.on("error", () => {}); // It ends before this one does.
  const report: string[] = [];
  const waiting = new Map<string, () => void>();
  createInterface({ input: reportPipe }).on("line", (line) => {
    report.push(line);
    for (const [start, found] of waiting) if (line.startsWith(start)) found();
  });
  const output = textOf(child.stdout as Readable);
  const errors = textOf(child.stderr as Readable);

  return {
    child,
    control,
    /** Resolves when a line of the report begins with this text. */
    line: (start: string) =>
      new Promise<void>((found) => {
        if (report.some((line) => line.startsWith(start))) found();
        else waiting.set(start, found);
      }),
    /** Resolves when the program has printed this text. */
    printed: output.contains,
    ended: ended(child).then((exitCode) => ({
      exitCode,
      report: comparable(report),
      stdout: output.text(),
      stderr: errors.text(),
    })),
  };
}

/**
 * Without the process ids, which vary, and the line of the supervisor itself. `child` comes second: `init` is another process, whose first
 * line may arrive before it.
 */
function comparable(report: readonly string[]): string[] {
  const lines = report
    .filter((line) => !line.startsWith("supervisor "))
    .map((line) => line.replace(/^child \d+$/, "child"));
  const rank = (line: string) => (line.startsWith("protocol ") ? 0 : line === "child" ? 1 : 2);
  return lines.sort((a, b) => rank(a) - rank(b));
}

async function ended(child: ChildProcess): Promise<number | null> {
  const [exitCode] = await once(child, "close");
  return exitCode;
}

function textOf(stream: Readable) {
  let text = "";
  stream.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  return {
    text: () => text,
    contains: (part: string) =>
      new Promise<void>((found) => {
        const look = () => text.includes(part) && found();
        stream.on("data", look);
        look();
      }),
  };
}
