import { engineRequest } from "../engine-request.mjs";

/** Removes every container of an engine, running or not. An engine that stops waits for each running one. */
export async function removeContainers(host) {
  try {
    const { text } = await engineRequest(host, "GET", "/v1.40/containers/json?all=1", { timeoutMs: 5_000 });
    const removals = JSON.parse(text).map(({ Id }) =>
      engineRequest(host, "DELETE", `/v1.40/containers/${Id}?force=1&v=1`, { timeoutMs: 10_000 }),
    );
    await Promise.allSettled(removals);
  } catch {
    // A test may have left the engine in any state, so the rest is ended by force.
  }
}
