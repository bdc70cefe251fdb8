import type { CallOptions } from "../closable.js";

export interface CommandQuestion {
  readonly command: string;
  readonly skill?: string;
  /** As the call gives it: relative to the skill's directory, without a skill to the workspace's root; empty for that itself. */
  readonly cwd: string;
}

export type CommandVerdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly reason: string; readonly hint: string };

/** Decides over a command before anything is staged for it. */
export interface CommandPolicy {
  (question: CommandQuestion, options?: CallOptions): Promise<CommandVerdict>;
  /** What may run, in a sentence or two for the model; stands in the descriptions of the tools that run commands. */
  readonly summary?: string | undefined;
}
