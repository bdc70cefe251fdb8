import type { JsonValue } from "@skillwright/core";

/** What is known of a request. It chooses what the turn's own message tells; nothing of it changes the system text. */
export interface SkillContext {
  readonly userMessage?: string | undefined;
  /** Such as `/write`; the slash may be missing. */
  readonly command?: string | undefined;
  /** Paths of files that the request is about, `/` between parts. */
  readonly files?: readonly string[] | undefined;
  /** What else the caller knows, for triggers of the type `context`. */
  readonly metadata?: Readonly<Record<string, JsonValue>> | undefined;
}
