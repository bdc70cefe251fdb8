import { engineRequest } from "../engine-request.mjs";

/** Whether an engine serves at an address. @param {string} host */
export function engineAnswers(host) {
  return engineRequest(host, "GET", "/_ping", { timeoutMs: 2_000 }).then(
    ({ status }) => status === 200,
    () => false,
  );
}
