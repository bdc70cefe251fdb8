import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { TurnKey } from "@skillwright/records";

export interface HoldingProcess {
  /** The turn that it works on. */
  readonly turn: TurnKey;
  /** Kills it with SIGKILL. */
  kill(): Promise<void>;
}

/**
 * Starts another process that takes one turn of the application and works on it without end.
 * @param module Exports `open(place)`.
 */
export async function holdingProcess(module: URL, place: string, app: string): Promise<HoldingProcess> {
  const program = fileURLToPath(new URL("hold-turn.mjs", import.meta.url));
  const child = spawn(process.execPath, [program, module.href, place, app], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const line = await Promise.race([
    once(createInterface(child.stdout), "line").then(([text]) => String(text)),
    exited.then(() => undefined),
  ]);
  if (line === undefined) throw new Error("The process ended without taking a turn.");
  return {
    turn: JSON.parse(line) as TurnKey,
    kill: async () => {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
