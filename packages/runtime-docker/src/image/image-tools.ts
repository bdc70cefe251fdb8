import { type CallOptions, SkillError } from "@skillwright/core";
import type { WorkspaceContainer } from "../container/workspace-container.js";
import { runScript } from "../stream/run-script.js";
import type { ImageFacts } from "./image-facts.js";

/** The programs that scripts of this package call in a container; everything else uses the shell itself. */
const TOOLS = ["cat", "chmod", "find", "head", "ln", "mkdir", "mv", "rm", "sleep", "stat", "tar"];

const LOOK = `for tool; do command -v "$tool" >/dev/null 2>&1 || echo "$tool"; done`;

export interface ImageTools {
  /** @throws SkillError `CONFIG_INVALID` naming what the image lacks. */
  check(container: WorkspaceContainer, image: ImageFacts, options?: CallOptions): Promise<void>;
}

/**
 * Searches for the commands that every image must have. An image id identifies immutable content, so each is checked
 * once.
 */
export function imageTools(): ImageTools {
  const complete = new Set<string>();
  return {
    check: async (container, image, options) => {
      if (complete.has(image.id)) return;
      const { stdout } = await runScript(container, { script: LOOK, args: TOOLS, as: "root" }, options);
      const missing = Buffer.from(stdout)
        .toString("utf8")
        .split("\n")
        .filter((tool) => TOOLS.includes(tool));
      if (missing.length > 0) throw incomplete(image.reference, missing);
      complete.add(image.id);
    },
  };
}

function incomplete(image: string, missing: readonly string[]): SkillError {
  return new SkillError(
    "CONFIG_INVALID",
    `The image ${image} lacks ${missing.join(", ")}, which workspaces need. Choose an image with the standard small commands, ` +
      "as busybox and coreutils with findutils and tar have them.",
    { details: { image, missing } },
  );
}
