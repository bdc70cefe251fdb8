import type { ChatResult } from "@skillwright/agent";
import { SkillError } from "@skillwright/core";
import type { App } from "./app.js";
import { callFailed } from "./call-failed.js";
import { DEFAULT_REQUEST, type DemoOptions } from "./command-line.js";
import { namedFile } from "./files-in-request.js";
import { formatDuration } from "./format.js";
import type { Screen } from "./screen.js";
import { showSaved } from "./show-saved.js";
import { turnView } from "./turn-view.js";
import { notThere, uploadNamed, uploadShown } from "./upload-files.js";

/** Processes one request from the command line. Resolves to the exit code: 0, or 1 where something failed. */
export async function demo(
  screen: Screen,
  app: App,
  options: Pick<DemoOptions, "request" | "files">,
  signal: AbortSignal,
): Promise<number> {
  const { colours } = screen;
  const started = performance.now();
  const request = options.request ?? DEFAULT_REQUEST;
  screen.prose(`${colours.bold("You:")} ${request}\n`);
  for (const named of options.files) {
    const file = await namedFile(named, app.fileRoots);
    if (!file) throw new SkillError("FILE_NOT_FOUND", notThere(named, app.fileRoots));
    await uploadShown(screen, app, file, signal);
  }
  await uploadNamed(screen, app, request, signal);
  const result = await app.agent.chat(request, { signal, onEvent: turnView(screen, app.snapshot) });
  if (result.finish === "aborted") screen.prose(`\n${result.text}`);
  screen.line();
  await showSaved(screen, app, result.artifacts);
  screen.line(colours.dim(`Done in ${formatDuration(performance.now() - started)}.`));
  return failed(result) ? 1 : 0;
}

/** A turn without an answer, or one whose last tool call failed. */
function failed({ finish, events }: ChatResult): boolean {
  if (finish !== "answered") return true;
  const last = events.findLast((event) => event.type === "tool.response");
  return last !== undefined && callFailed(last);
}
