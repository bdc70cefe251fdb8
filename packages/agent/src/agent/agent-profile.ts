import type { CallOptions, Diagnostic } from "@skillwright/core";

/** A profile as it was read. */
export interface ProfileText {
  /** Empty for none. */
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Text about the agent and its user, injected as a system message. Read each time it is due. */
export interface AgentProfile {
  read(options?: CallOptions): Promise<ProfileText>;
}
