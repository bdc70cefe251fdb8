import type { CallOptions } from "../closable.js";

export interface CommandQuestion {
  readonly command: string;
  readonly skill?: string;
  /**
   * As the call gives it: relative to the skill's directory, or to the workspace's root where there is no skill; empty
   * for that directory itself.
   */
  readonly cwd: string;
}

export type CommandVerdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly reason: string; readonly hint: string };

/** Decides on a command before anything is staged for it. */
export interface CommandPolicy {
  (question: CommandQuestion, options?: CallOptions): Promise<CommandVerdict>;
  /**
   * Describes to the model, in a sentence or two, what may run. Included in the descriptions of the tools that run
   * commands.
   */
  readonly summary?: string | undefined;
}
