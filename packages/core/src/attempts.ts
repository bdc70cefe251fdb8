import { checkAborted } from "./abort.js";
import { SkillError } from "./skill-error.js";

/**
 * Runs the work of one call.
 * @param doing What the call does, for the message of an error: `Loading "x"`.
 * @throws SkillError `ABORTED` where the signal has fired before.
 */
export type Attempt = <T>(
  doing: string,
  signal: AbortSignal | undefined,
  work: () => T | Promise<T>,
) => Promise<T>;

/**
 * Creates the function in which a port runs its calls, so that every failure becomes one `SkillError`.
 * @param place Named in messages, where it is not empty.
 * @param failure Maps what was thrown. Defaults to `SkillError.from`.
 */
export function attempts(
  place = "",
  failure: (error: unknown, doing: string) => unknown = SkillError.from,
): Attempt {
  return async (doing, signal, work) => {
    try {
      checkAborted(signal);
      return await work();
    } catch (error) {
      throw failure(error, place === "" ? doing : `${doing} (${place})`);
    }
  };
}
