import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface WriterProcess {
  /** The next line of its output. Rejects if it ends without one. */
  line(): Promise<string>;
  /** Kills it, and waits until it is gone. */
  kill(): Promise<void>;
}

const program = fileURLToPath(new URL("children/writer.ts", import.meta.url));

/** Starts `children/writer.ts` on the database; its stderr is shown. */
export function writerProcess(job: string, location: string, mark = ""): WriterProcess {
  const args = ["--disable-warning=ExperimentalWarning", program, job, location, mark];
  const child: ChildProcess = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "close");
  const lines = child.stdout?.[Symbol.asyncIterator]();

  return {
    async line() {
      const next = await lines?.next();
      if (!next || next.done) throw new Error(`The writer ended: ${(await ended).join(", ")}.`);
      return String(next.value).trim();
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
