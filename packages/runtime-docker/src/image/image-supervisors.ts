import { type CallOptions, SkillError } from "@skillwright/core";
import { readReport, supervisorProgram } from "@skillwright/supervisor";
import type { WorkspaceContainer } from "../container/workspace-container.js";
import { isTooLate } from "../engine/engine-error.js";
import type { ImageFacts } from "./image-facts.js";

export interface ImageSupervisors {
  /** The supervisor for containers of the image; `undefined` where none works in it. */
  program(image: ImageFacts): string | undefined;
  /** True where it starts commands in the container. @throws SkillError `BACKEND_FAILED`, `ABORTED`. */
  works(container: WorkspaceContainer, image: ImageFacts, options?: CallOptions): Promise<boolean>;
  /** Records whether it works in containers of the image; `undefined` for a new try. */
  learn(image: ImageFacts, works: boolean | undefined): void;
  isKnown(image: ImageFacts): boolean;
}

/** An image id identifies immutable content, so the program is tested once per id. */
export function imageSupervisors(): ImageSupervisors {
  const tried = new Map<string, boolean>();
  return {
    program: ({ id, arch }) =>
      tried.get(id) === false ? undefined : supervisorProgram({ platform: "linux", arch })?.path,
    works: async (container, { id }, options) => {
      if (!container.isServed || tried.get(id)) return true;
      const works = await tries(container, options);
      tried.set(id, works);
      return works;
    },
    learn: ({ id }, works) => void (works === undefined ? tried.delete(id) : tried.set(id, works)),
    isKnown: ({ id }) => tried.has(id),
  };
}

async function tries(container: WorkspaceContainer, options: CallOptions = {}): Promise<boolean> {
  try {
    const stream = await container.engine.streams.open(container, options);
    const { user, filter = "offline", shell } = container;
    const program = [
      "--user",
      `${user.uid}`,
      "--group",
      `${user.gid}`,
      "--filter",
      filter,
      "--",
      shell,
      "-c",
      ":",
    ];
    const words = ["run", "--report", "3", "--control", "4", ...program];
    let text = "";
    const onBytes = (descriptor: number, bytes: Uint8Array) => {
      if (descriptor === 3) text += Buffer.from(bytes).toString("latin1");
    };
    await stream.start({ arguments: words, inputs: [4], onBytes }).ended;
    return readReport(text).ended?.number === 0;
  } catch (error) {
    // The kernel or the storage does not allow it to run.
    if (SkillError.is(error, "BACKEND_FAILED") && !isTooLate(error)) return false;
    throw error;
  }
}
