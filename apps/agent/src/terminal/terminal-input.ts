import { createInterface } from "node:readline/promises";
import { PASTE_OFF, PASTE_ON, wholeLine, withPastedLines } from "./pasted-lines.js";

/** Lines a person types, or a pipe brings. */
export interface TerminalInput {
  /** True where a person can be asked. */
  readonly isTerminal: boolean;
  /** The next line; `undefined` at the end of the input. */
  next(prompt: string): Promise<string | undefined>;
  /** Asks in between; `undefined` where nobody is there, and when Ctrl-C comes instead of an answer. */
  ask(question: string): Promise<string | undefined>;
  /** Called at each Ctrl-C. */
  onInterrupt(listener: () => void): void;
  close(): void;
}

export type InputStream = NodeJS.ReadableStream & { readonly isTTY?: boolean | undefined };

/**
 * Over readline: keeps lines that come while nobody waits, so that piped input is never lost. On a terminal several lines that
 * are pasted together are one line, with line ends in it.
 */
export function terminalInput(input: InputStream, output: NodeJS.WritableStream): TerminalInput {
  const isTerminal = input.isTTY === true;
  const reader = createInterface({
    input: isTerminal ? withPastedLines(input) : input,
    output,
    terminal: isTerminal,
  });
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
  // The line that is typed next is no answer to a question that was left.
  reader.on("SIGINT", () => {
    const left = waiting.findIndex((resolve) => resolve === question);
    if (left >= 0) waiting.splice(left, 1)[0]?.(undefined);
  });
  reader.on("close", () => {
    ended = true;
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
    // What was typed ahead is no answer to a question that was not there yet.
    ask,
    onInterrupt: (listener) => {
      // On a terminal readline takes the key; otherwise the signal reaches the process.
      if (isTerminal) reader.on("SIGINT", listener);
      else process.on("SIGINT", listener);
    },
    close: () => {
      if (isTerminal && !ended) output.write(PASTE_OFF);
      reader.close();
    },
  };
}
