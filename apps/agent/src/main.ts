import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { fileURLToPath } from "node:url";
import { serve } from "./server/serve.js";
import { openApp } from "./terminal/app.js";
import type { AppEnvironment } from "./terminal/app-parts.js";
import { showBanner } from "./terminal/banner.js";
import { chat } from "./terminal/chat.js";
import { commandLine } from "./terminal/command-line.js";
import { demo } from "./terminal/demo.js";
import { screen } from "./terminal/screen.js";
import { showFailure } from "./terminal/show-failure.js";
import { terminalInput } from "./terminal/terminal-input.js";

// Both src/main.ts and dist/main.js are three folders below the repository's root.
const repository = fileURLToPath(new URL("../../../", import.meta.url));
const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

const options = commandLine(process.argv.slice(2), version);
const shown = screen(process.stdout, process.env);
const input = terminalInput(process.stdin, process.stdout);

let isStarting = true;
// Until the chat or the demo decides on Ctrl-C, it ends the program: an engine or a source may not answer.
const leaveStart = (code: number) => () => void (isStarting && leave(code));
input.onInterrupt(leaveStart(130));
process.on("SIGTERM", leaveStart(143));
process.on("SIGHUP", leaveStart(129));
process.exitCode = await main();
input.close();

async function main(): Promise<number> {
  try {
    if (options.serve || options.web) return await serve(shown, options, environment(), untilEnded());
    const app = await openApp(options, environment(), shown, input);
    isStarting = false;
    // Running commands are ended and their workspace is removed, whatever ends this process.
    const closed = (signal: number) => void app.close().finally(() => leave(128 + signal));
    // Not `once`: where nobody listens any more, the library that ends child processes ends this process too.
    process.on("SIGTERM", () => closed(15));
    process.on("SIGHUP", () => closed(1));
    // The reader has stopped, as in `npm run demo | head`.
    process.stdout.on("error", () => closed(13));
    try {
      showBanner(shown, app);
      if (options.chat) return await chat(shown, app, input);
      return await demo(shown, app, options, interruption());
    } finally {
      await app.close();
    }
  } catch (error) {
    showFailure(shown, error);
    return 1;
  }
}

/** Fires when the server is to end. */
function untilEnded(): AbortSignal {
  const ending = new AbortController();
  const ended = (code: number) => {
    if (ending.signal.aborted) leave(code);
    ending.abort();
  };
  // As above.
  process.on("SIGTERM", () => ended(143));
  process.on("SIGHUP", () => ended(129));
  isStarting = false;
  input.onInterrupt(() => ended(130));
  return ending.signal;
}

/** Ends the program at once. The terminal is as it was before. */
function leave(code: number): never {
  input.close();
  process.exit(code);
}

function environment(): AppEnvironment {
  return {
    env: process.env,
    cwd: workingDirectory(),
    home: homedir(),
    bundledSkills: `${repository}skills`,
    fileRoots: [repository],
  };
}

/** Where the person typed `npm run demo`; npm itself changes to the folder of the manifest. */
function workingDirectory(): string {
  const { npm_lifecycle_event: script, INIT_CWD: typedIn } = process.env;
  return script === "demo" && typedIn ? typedIn : process.cwd();
}

/** The first Ctrl-C ends the turn and keeps its results; the second ends the program. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  input.onInterrupt(() => {
    if (controller.signal.aborted) leave(130);
    shown.prose("\n  stopping; press Ctrl-C again to exit immediately");
    controller.abort();
  });
  return controller.signal;
}
