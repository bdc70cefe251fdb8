import { useSyncExternalStore } from "react";

/** `lost`: the last request got no answer. `signed-out`: the server does not know the user. */
export type Connection = "open" | "lost" | "signed-out";

let state: Connection = "open";
const listeners = new Set<() => void>();

export function useConnection(): Connection {
  return useSyncExternalStore(subscribe, () => state);
}

export function tellConnection(now: Connection): void {
  if (now === state) return;
  state = now;
  for (const listener of listeners) listener();
}

/** `fetch` that tells whether the server was reached. */
export const watchedFetch: typeof fetch = async (input, init) => {
  try {
    const answer = await fetch(input, init);
    // A proxy answers for a server that is gone.
    const isGone = [502, 503, 504].includes(answer.status) && !answer.headers.has("retry-after");
    tellConnection(answer.status === 401 ? "signed-out" : isGone ? "lost" : "open");
    return answer;
  } catch (error) {
    if (!(init?.signal?.aborted ?? false)) tellConnection("lost");
    throw error;
  }
};

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
