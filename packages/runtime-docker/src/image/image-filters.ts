import { type CallOptions, SkillError } from "@skillwright/core";
import { supervisorProgram } from "@skillwright/supervisor";
import type { WorkspaceContainer } from "../container/workspace-container.js";
import { isTooLate } from "../engine/engine-error.js";
import { runScript } from "../exec/run-script.js";
import type { ImageFacts } from "./image-facts.js";

export interface ImageFilters {
  /** The program that applies a system-call filter to commands; `undefined` where none works in this image. */
  program(image: ImageFacts): string | undefined;
  /** True where commands run under the container's filter. @throws SkillError `BACKEND_FAILED`, `ABORTED`. */
  holds(container: WorkspaceContainer, image: ImageFacts, options?: CallOptions): Promise<boolean>;
}

/** An image id identifies immutable content, so the program is tested once per id. */
export function imageFilters(): ImageFilters {
  const tried = new Map<string, boolean>();
  return {
    program: ({ id, arch }) =>
      tried.get(id) === false ? undefined : supervisorProgram({ platform: "linux", arch })?.path,
    holds: async (container, { id }, options) => {
      const known = container.filter === undefined || tried.get(id);
      if (known) return true;
      const works = await tries(container, options);
      tried.set(id, works);
      return works;
    },
  };
}

async function tries(container: WorkspaceContainer, options: CallOptions = {}): Promise<boolean> {
  try {
    return (await runScript(container, { script: ":", as: "run" }, options)).exitCode === 0;
  } catch (error) {
    // The engine's error for a program that the kernel or the storage does not allow to run.
    if (SkillError.is(error, "BACKEND_FAILED") && !isTooLate(error)) return false;
    throw error;
  }
}
