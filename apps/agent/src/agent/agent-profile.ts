import type { CallOptions, Diagnostic } from "@skillwright/core";

export interface ProfileText {
  /** Empty for none. */
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** What an agent is told about itself and its user, with the system's voice. Read when it is due, as it is by then. */
export interface AgentProfile {
  read(options?: CallOptions): Promise<ProfileText>;
}
