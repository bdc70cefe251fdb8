import type { App } from "./app.js";
import { chatCommand } from "./chat-commands.js";
import type { Screen } from "./screen.js";
import { showFailure } from "./show-failure.js";
import { showSaved } from "./show-saved.js";
import type { TerminalInput } from "./terminal-input.js";
import { turnView } from "./turn-view.js";
import { uploadNamed } from "./upload-files.js";

/**
 * The terminal chat, until `/quit`, the end of the input or a second Ctrl-C. A failure is shown and the chat continues.
 * Resolves to the exit code, always 0.
 */
export async function chat(screen: Screen, app: App, input: TerminalInput): Promise<number> {
  const { colours } = screen;
  let turn: AbortController | undefined;
  let leaving = false;
  const stopped = new Promise<undefined>((resolve) => {
    input.onInterrupt(() => {
      if (leaving) return resolve(undefined);
      leaving = true;
      if (turn) {
        screen.prose(colours.yellow("\n  stopping this turn; press Ctrl-C again to exit"));
        turn.abort();
      } else screen.prose(colours.dim("\n  press Ctrl-C again or type /quit to exit"));
    });
  });

  screen.prose(
    "Type what you want done. /upload FILE uploads a file, /skills lists the skills, /help lists all commands.\n",
  );
  for (;;) {
    const line = await Promise.race([input.next(colours.bold("You: ")), stopped]);
    if (line === undefined) break;
    leaving = false;
    const words = line.trim();
    if (!input.isTerminal) screen.prose(words);
    if (words === "") continue;
    turn = new AbortController();
    const more = await Promise.race([answer(words, turn.signal), stopped]);
    turn = undefined;
    leaving = false;
    if (more === undefined || more === "quit") break;
  }
  screen.line();
  return 0;

  async function answer(words: string, signal: AbortSignal): Promise<"go-on" | "quit"> {
    try {
      const command = await chatCommand({ screen, app, signal }, words);
      if (command) return command;
      await uploadNamed(screen, app, words, signal);
      const result = await app.agent.chat(words, { signal, onEvent: turnView(screen, app.snapshot) });
      if (result.finish === "aborted") screen.prose(`\n  ${colours.yellow(result.text)}`);
      screen.line();
      await showSaved(screen, app, result.artifacts);
    } catch (error) {
      if (!signal.aborted) showFailure(screen, error);
    }
    return "go-on";
  }
}
