import { SkillError } from "@skillwright/core";

/** Breaks the promise that closing twice is no error. */
export function closingOnce(): () => Promise<void> {
  let isClosed = false;
  return async () => {
    if (isClosed) throw new SkillError("CLOSED", "It was closed before.");
    isClosed = true;
  };
}
