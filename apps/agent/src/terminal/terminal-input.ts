import { createInterface } from "node:readline/promises";
import { PASTE_OFF, PASTE_ON, wholeLine, withWholeLines } from "./pasted-lines.js";

/** Lines typed by a person, or from a pipe. */
export interface TerminalInput {
  /** True where a person can be asked. */
  readonly isTerminal: boolean;
  /** The next line; `undefined` at the end of the input. */
  next(prompt: string): Promise<string | undefined>;
  /**
   * Asks a question in between; `undefined` where there is no person, and when Ctrl-C is pressed instead of an answer.
   */
  ask(question: string): Promise<string | undefined>;
  /** Called on each Ctrl-C. */
  onInterrupt(listener: () => void): void;
  /** Reads no more. A terminal is as it was before, and the process can end. */
  close(): void;
}

export type InputStream = NodeJS.ReadableStream & {
  readonly isTTY?: boolean | undefined;
  readonly isRaw?: boolean;
  setRawMode?(isRaw: boolean): unknown;
};

/**
 * Implemented with readline. Lines that arrive while nothing is waiting are kept, so that piped input is never lost. On
 * a terminal, several lines pasted together are one line with line ends in it.
 */
export function terminalInput(input: InputStream, output: NodeJS.WritableStream): TerminalInput {
  const isTerminal = input.isTTY === true;
  const { lines: whole, release } = withWholeLines(input);
  const reader = createInterface({ input: whole, output, terminal: isTerminal });
  if (isTerminal) output.write(PASTE_ON);
  const waiting: ((line: string | undefined) => void)[] = [];
  const lines: string[] = [];
  let question: ((answer: string | undefined) => void) | undefined;
  let ended = false;

  reader.on("line", (typed) => {
    const line = wholeLine(typed);
    const first = waiting.shift();
    if (first) first(line);
    else lines.push(line);
  });
  // The next typed line is not an answer to an abandoned question.
  reader.on("SIGINT", () => {
    const left = question ? waiting.indexOf(question) : -1;
    if (left >= 0) waiting.splice(left, 1)[0]?.(undefined);
  });
  // Also after Ctrl-D, which closes the reader.
  reader.on("close", () => {
    ended = true;
    release();
    if (isTerminal) output.write(PASTE_OFF);
    for (const resolve of waiting.splice(0)) resolve(undefined);
  });

  async function next(prompt: string): Promise<string | undefined> {
    return lines.length > 0 ? lines.shift() : fresh(prompt);
  }

  async function fresh(prompt: string): Promise<string | undefined> {
    if (ended) return undefined;
    reader.setPrompt(prompt);
    reader.prompt();
    return new Promise((resolve) => waiting.push(resolve));
  }

  async function ask(text: string): Promise<string | undefined> {
    if (!isTerminal) return undefined;
    const answer = fresh(text);
    question = waiting.at(-1);
    return await answer;
  }

  return {
    isTerminal,
    next,
    // Text typed ahead is not an answer to a question that had not been asked.
    ask,
    onInterrupt: (listener) => {
      // On a terminal readline handles the key; otherwise the process gets the signal.
      if (isTerminal) reader.on("SIGINT", listener);
      else process.on("SIGINT", listener);
    },
    close: () => reader.close(),
  };
}
