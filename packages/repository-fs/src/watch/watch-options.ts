import { SkillError } from "@skillwright/core";

export interface WatchOptions {
  /** Quiet period before a change is reported, in milliseconds. Defaults to 200. */
  readonly stableMs?: number | undefined;
  /**
   * Polling interval where events are not available, in milliseconds. Defaults to 2,000; at least ten times the
   * duration of a poll.
   */
  readonly pollMs?: number | undefined;
  /**
   * Maximum number of watched directories, each with a system handle. Defaults to 4,096. With more, the repository is
   * polled.
   */
  readonly handles?: number | undefined;
  /** `poll` uses no handles, for directories whose changes the system does not report. Defaults to `events`. */
  readonly method?: "events" | "poll" | undefined;
}

export type WatchRules = { readonly [Option in keyof WatchOptions]-?: NonNullable<WatchOptions[Option]> };

/** @throws SkillError `CONFIG_INVALID` for invalid times and numbers. */
export function watchRules(options: WatchOptions): WatchRules {
  const { stableMs = 200, pollMs = 2000, handles = 4096, method = "events" } = options;
  for (const [option, value] of Object.entries({ stableMs, pollMs, handles }))
    if (!Number.isSafeInteger(value) || value < (option === "pollMs" ? 1 : 0))
      throw new SkillError("CONFIG_INVALID", `"watch.${option}" is ${value}. Give a whole number.`);
  return { stableMs, pollMs, handles, method };
}
