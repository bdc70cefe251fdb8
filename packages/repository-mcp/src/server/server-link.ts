import type { Transport } from "@modelcontextprotocol/client";
import type { SkillError } from "@skillwright/core";

/** The way to one server, for one connection. */
export interface ServerLink {
  readonly transport: Transport;
  /** Why it is of no use any more; `undefined` while it is. */
  failure(): Promise<LinkFailure | undefined>;
  /** Ends the program, if there is one; settles when it has ended. */
  close(): Promise<void>;
}

export interface LinkFailure {
  readonly error: SkillError;
  /** True for a program that ended by itself. */
  readonly isEnd: boolean;
}
