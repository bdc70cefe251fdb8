import type { CallOptions } from "../closable.js";

export interface CommandQuestion {
  readonly command: string;
  readonly skill?: string;
  /** Relative to the workspace's root. */
  readonly cwd: string;
}

export type CommandVerdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly reason: string; readonly hint: string };

/** Decides over a command before anything is staged for it. */
export type CommandPolicy = (question: CommandQuestion, options?: CallOptions) => Promise<CommandVerdict>;
