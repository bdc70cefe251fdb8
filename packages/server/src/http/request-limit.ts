import { SkillError } from "@skillwright/core";
import { RateLimiterMemory } from "rate-limiter-flexible";

/**
 * Limits how often a user asks: rejects with `msBeforeNext` where the user has to wait. A limiter of
 * `rate-limiter-flexible` fits, also one that several processes share in Redis or PostgreSQL.
 */
export interface RequestLimiter {
  consume(user: string): Promise<unknown>;
}

/** 1,200 requests a minute for each user, counted in this process. */
export function defaultLimiter(): RequestLimiter {
  return new RateLimiterMemory({ points: 1200, duration: 60 });
}

/**
 * Returns the seconds that the user has to wait; `undefined` where none.
 * @throws SkillError `BACKEND_FAILED` where the limiter fails.
 */
export async function secondsToWait(
  limiter: RequestLimiter | undefined,
  user: string,
): Promise<number | undefined> {
  try {
    await limiter?.consume(user);
    return undefined;
  } catch (error) {
    const { msBeforeNext } = Object(error) as { readonly msBeforeNext?: unknown };
    if (typeof msBeforeNext === "number") return Math.max(1, Math.ceil(msBeforeNext / 1000));
    throw SkillError.from(error, "Counting the requests");
  }
}
