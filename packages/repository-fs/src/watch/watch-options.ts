import { SkillError } from "@skillwright/core";

export interface WatchOptions {
  /** How long nothing may have happened before a change is told, in milliseconds; 200 by default. */
  readonly stableMs?: number | undefined;
  /** How often the folder is looked at where events cannot be had, in milliseconds; 2,000 by default, at least ten times what a look takes. */
  readonly pollMs?: number | undefined;
  /** How many folders may be watched, each with a handle of the system; 4,096 by default. With more it is polled. */
  readonly handles?: number | undefined;
  /** `poll` uses no handles, for folders whose changes the system does not tell of. `events` by default. */
  readonly method?: "events" | "poll" | undefined;
}

export type WatchRules = { readonly [Option in keyof WatchOptions]-?: NonNullable<WatchOptions[Option]> };

/** @throws SkillError `CONFIG_INVALID` for times and numbers that are none. */
export function watchRules(options: WatchOptions): WatchRules {
  const { stableMs = 200, pollMs = 2000, handles = 4096, method = "events" } = options;
  for (const [option, value] of Object.entries({ stableMs, pollMs, handles }))
    if (!Number.isSafeInteger(value) || value < (option === "pollMs" ? 1 : 0))
      throw new SkillError("CONFIG_INVALID", `"watch.${option}" is ${value}. Give a whole number.`);
  return { stableMs, pollMs, handles, method };
}
