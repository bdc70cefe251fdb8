import type { App } from "./app.js";
import { filesInRequest, type NamedFile } from "./files-in-request.js";
import { formatBytes, formatDuration } from "./format.js";
import type { Screen } from "./screen.js";

/** Uploads the files that a request names; reports words that look like a file but are not one. */
export async function uploadNamed(
  screen: Screen,
  app: App,
  request: string,
  signal?: AbortSignal,
): Promise<void> {
  const { files, missing } = await filesInRequest(request, app.fileRoots);
  for (const file of files) await uploadShown(screen, app, file, signal);
  for (const named of missing) screen.prose(screen.colours.yellow(`  ! ${notThere(named, app.fileRoots)}`));
}

export async function uploadShown(
  screen: Screen,
  app: App,
  file: NamedFile,
  signal?: AbortSignal,
): Promise<void> {
  const { colours } = screen;
  const started = performance.now();
  const uploaded = await app.upload(file, signal);
  const time = colours.dim(`(${formatDuration(performance.now() - started)})`);
  const what = uploaded.changed ? formatBytes(uploaded.size) : "there already";
  screen.line(
    `  ${colours.green("✓")} ${colours.bold("upload")}  ${file.named} → ${uploaded.path}, ${what} ${time}`,
  );
}

export function notThere(named: string, directories: readonly string[]): string {
  return `There is no file ${named} in ${directories.join(" or ")}. Give a path relative to there, or an absolute one.`;
}
