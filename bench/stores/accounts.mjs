import { timed } from "./timed.mjs";

/**
 * Records what the work consumes besides its time, for the last round, which is like the others.
 *
 * @param spent gives `{ requests: { <operation>: count }, bytes }` so far
 */
export function accountant(spent) {
  const accounts = {};
  const counted = (what, work) => async () => {
    const before = await spent();
    const took = await timed(work);
    accounts[what] = between(before, await spent());
    return took;
  };
  const eachCounted = (contestants) =>
    Object.fromEntries(Object.entries(contestants).map(([what, work]) => [what, counted(what, work)]));
  return { accounts, counted, eachCounted };
}

/** The sum of two stores. */
export function together(...all) {
  return async () => {
    const each = await Promise.all(all.map((spent) => spent()));
    return {
      requests: Object.assign({}, ...each.map(({ requests }) => requests)),
      bytes: each.reduce((sum, { bytes }) => sum + bytes, 0),
    };
  };
}

function between(before, after) {
  const requests = Object.entries(after.requests).flatMap(([name, count]) => {
    const more = count - (before.requests[name] ?? 0);
    return more > 0 ? [[name, more]] : [];
  });
  return { requests: Object.fromEntries(requests), bytes: after.bytes - before.bytes };
}
