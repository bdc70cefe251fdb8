import { once } from "node:events";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { onTestFinished } from "vitest";
import { removeTree } from "../../../packages/runtime-local/src/storage/remove-tree.js";
import { type App, openApp } from "../src/terminal/app.js";
import { commandLine } from "../src/terminal/command-line.js";
import { type Screen, screen } from "../src/terminal/screen.js";
import { type TerminalInput, terminalInput } from "../src/terminal/terminal-input.js";

export interface TestTerminal {
  /** The project's directory, which is the working directory; `bundled/` in it contains the bundled skills. */
  readonly folder: string;
  readonly screen: Screen;
  readonly input: TerminalInput;
  /** All output so far, without colours. */
  shown(): string;
  /** Resolves when the text was printed after the last input. */
  until(text: string): Promise<void>;
  type(text: string): void;
  end(): void;
  /** `home` is relative to the directory. */
  open(
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
    more?: { readonly home?: string | undefined },
  ): Promise<App>;
}

interface TestTerminalOptions {
  /** Makes the input a TTY. */
  readonly person?: boolean;
  readonly columns?: number;
  /** The directory of another terminal, to continue in its project. */
  readonly folder?: string;
}

/** A terminal of streams and a project directory with these files. */
export async function testTerminal(
  files: Readonly<Record<string, string>>,
  { person = false, columns = 100, folder: known }: TestTerminalOptions = {},
): Promise<TestTerminal> {
  const folder = known ?? (await mkdtemp(join(tmpdir(), "skillwright-agent-")));
  // The first terminal of a directory removes it, when the later ones are closed.
  if (known === undefined) onTestFinished(() => removeTree(folder));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  const keyboard = Object.assign(new PassThrough(), { isTTY: person });
  const display = Object.assign(new PassThrough(), { isTTY: person, columns });
  let shown = "";
  let typedAt = 0;
  display.on("data", (bytes: Buffer) => {
    shown += bytes.toString("utf8");
  });
  const input = terminalInput(keyboard, display);
  onTestFinished(() => input.close());
  const view = screen(display, { NO_COLOR: "1" });
  return {
    folder,
    screen: view,
    input,
    shown: () => shown,
    until: async (text) => {
      const deadline = setTimeout(
        () => display.destroy(new Error(`"${text}" never came:\n${shown}`)),
        180_000,
      );
      while (!shown.includes(text, typedAt)) await once(display, "data");
      clearTimeout(deadline);
    },
    type: (text) => {
      typedAt = shown.length;
      keyboard.write(text);
    },
    end: () => void keyboard.end(),
    open: async (args, env = {}, { home = "home" } = {}) => {
      const app = await openApp(
        commandLine(args, "0.0.0"),
        {
          env: { PATH: process.env["PATH"], ...env },
          cwd: folder,
          home: join(folder, home),
          bundledSkills: join(folder, "bundled"),
          fileRoots: [],
        },
        view,
        input,
      );
      onTestFinished(() => app.close());
      return app;
    },
  };
}
