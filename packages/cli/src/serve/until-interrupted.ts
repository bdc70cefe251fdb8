import { once } from "node:events";
import type { CliContext } from "../cli-context.js";

/** Waits for the signal; forever where there is none. */
export async function untilInterrupted({ signal }: Pick<CliContext, "signal">): Promise<void> {
  if (!signal?.aborted) await (signal ? once(signal, "abort") : new Promise(() => undefined));
}
