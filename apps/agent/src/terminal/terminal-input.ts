import { createInterface } from "node:readline/promises";

/** Lines a person types, or a pipe brings. */
export interface TerminalInput {
  /** True where a person can be asked. */
  readonly isTerminal: boolean;
  /** The next line; `undefined` at the end of the input. */
  next(prompt: string): Promise<string | undefined>;
  /** Asks in between; `undefined` where nobody is there. */
  ask(question: string): Promise<string | undefined>;
  /** Called at each Ctrl-C. */
  onInterrupt(listener: () => void): void;
  close(): void;
}

export type InputStream = NodeJS.ReadableStream & { readonly isTTY?: boolean | undefined };

/** Over readline: keeps lines that come while nobody waits, so that piped input is never lost. */
export function terminalInput(input: InputStream, output: NodeJS.WritableStream): TerminalInput {
  const isTerminal = input.isTTY === true;
  const reader = createInterface({ input, output, terminal: isTerminal });
  const waiting: ((line: string | undefined) => void)[] = [];
  const lines: string[] = [];
  let ended = false;

  reader.on("line", (line) => {
    const first = waiting.shift();
    if (first) first(line);
    else lines.push(line);
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

  return {
    isTerminal,
    next,
    // What was typed ahead is no answer to a question that was not there yet.
    ask: async (question) => (isTerminal ? fresh(question) : undefined),
    onInterrupt: (listener) => {
      // On a terminal readline takes the key; otherwise the signal reaches the process.
      if (isTerminal) reader.on("SIGINT", listener);
      else process.on("SIGINT", listener);
    },
    close: () => reader.close(),
  };
}
