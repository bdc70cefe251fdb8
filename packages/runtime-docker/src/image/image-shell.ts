import { type CallOptions, SkillError } from "@skillwright/core";
import { hasPath } from "../container/found-container.js";
import type { EngineClient } from "../engine/engine-client.js";

/** The shell of an image. */
export interface ImageShell {
  readonly shell: string;
  readonly isBash: boolean;
}

const PLAIN = ["/bin/sh", "/usr/bin/sh", "/busybox/sh", "/usr/local/bin/sh"];
const BASH = ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"];

export interface ImageShells {
  /**
   * Searches a container of the image, running or not. @throws SkillError `CONFIG_INVALID` for an image without a
   * shell.
   */
  find(
    engine: EngineClient,
    container: { id: string; imageId: string },
    options?: CallOptions,
  ): Promise<ImageShell>;
}

/** An image id identifies immutable content, so each is inspected once. */
export function imageShells(): ImageShells {
  const shells = new Map<string, ImageShell>();
  return {
    find: async (engine, { id, imageId }, options) => {
      const known = shells.get(imageId);
      if (known) return known;
      const first = async (paths: readonly string[]) => {
        for (const path of paths) if (await hasPath(engine, id, path, options)) return path;
        return undefined;
      };
      const bash = await first(BASH);
      const shell = bash ?? (await first(PLAIN));
      if (shell === undefined) throw noShell(imageId);
      const found = { shell, isBash: bash !== undefined };
      shells.set(imageId, found);
      return found;
    },
  };
}

function noShell(imageId: string): SkillError {
  return new SkillError(
    "CONFIG_INVALID",
    `The image has no shell: none of ${[...PLAIN, ...BASH].join(", ")} exists. Choose an image with a POSIX shell and the standard small commands.`,
    { details: { imageId } },
  );
}
