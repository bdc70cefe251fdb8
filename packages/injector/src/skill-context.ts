import type { JsonValue } from "@skillwright/core";

/** What is known of a request. It determines the turn's own message; it never changes the system text. */
export interface SkillContext {
  readonly userMessage?: string | undefined;
  /** Such as `/write`; the slash may be omitted. */
  readonly command?: string | undefined;
  /** Paths of files that the request is about, with `/` between parts. */
  readonly files?: readonly string[] | undefined;
  /** Further data of the caller, for triggers of the type `context`. */
  readonly metadata?: Readonly<Record<string, JsonValue>> | undefined;
}
