import type { ArtifactVersion } from "@skillwright/core";
import type { App } from "./app.js";
import type { Screen } from "./screen.js";

/** Where the person finds what a turn saved: one absolute path a line, in full however narrow the terminal. */
export async function showSaved(
  screen: Screen,
  app: App,
  artifacts: readonly ArtifactVersion[],
): Promise<void> {
  if (artifacts.length === 0) return;
  screen.line(screen.colours.bold("Saved:"));
  for (const path of await app.handOver(artifacts)) screen.prose(`  ${path}`);
}
