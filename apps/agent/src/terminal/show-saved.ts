import type { ArtifactVersion } from "@skillwright/core";
import type { App } from "./app.js";
import type { Screen } from "./screen.js";

/** Shows where a turn's saved files are: one absolute path per line, never shortened. */
export async function showSaved(
  screen: Screen,
  app: App,
  artifacts: readonly ArtifactVersion[],
): Promise<void> {
  if (artifacts.length === 0) return;
  screen.line(screen.colours.bold("Saved:"));
  for (const path of await app.handOver(artifacts)) screen.prose(`  ${path}`);
}
