import { constants, openSync } from "node:fs";
import { Socket } from "node:net";
import { inputClosed, writeInput } from "../run/command-input.js";

/** The standard input of a recorded run. */
export interface RecordedInput {
  /** @throws SkillError `CLOSED` if the command no longer reads its input, or has no input. */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends the input after the bytes that were written. */
  end(): Promise<void>;
  /** Call it when the run is over; pending writes fail. */
  close(): void;
}

/**
 * Writes to the FIFO in the directory of a record, which the supervisor passes on.
 * @param tell Sends a line to the supervisor.
 */
export function recordedInput(directory: string, tell: (line: string) => void): RecordedInput {
  let pipe: Socket | undefined;
  let isEnded = false;
  let written: Promise<unknown> = Promise.resolve();

  async function write(bytes: Uint8Array): Promise<void> {
    if (isEnded) throw inputClosed();
    pipe ??= opened(directory);
    const writing = writeInput(pipe, bytes);
    // Its failure is thrown by the await below.
    written = writing.catch(() => undefined);
    await writing;
  }

  async function end(): Promise<void> {
    if (isEnded) return;
    isEnded = true;
    await written;
    pipe?.destroy();
    tell("end-input");
  }

  return {
    write,
    end,
    close: () => {
      isEnded = true;
      pipe?.destroy();
    },
  };
}

function opened(directory: string): Socket {
  try {
    const flags = constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
    const pipe = new Socket({ fd: openSync(`${directory}/input`, flags), readable: false, writable: true });
    // The pending write reports the error.
    return pipe.on("error", () => undefined);
  } catch (error) {
    // The program has closed its input, or the supervisor has ended.
    if (["ENXIO", "ENOENT"].includes((error as NodeJS.ErrnoException).code ?? "")) throw inputClosed(error);
    throw error;
  }
}
