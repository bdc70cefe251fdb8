import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

/**
 * Starts something in a keeper: a separate process that ends it, and removes its directory, on request or when
 * this process ends for any reason.
 *
 * @param {"docker" | "podman" | "registry" | "ssh" | "ceph"} kind
 * @param {Record<string, unknown>} options
 * @returns {Promise<{ details: Record<string, any>, ask: (call: string, ...args: unknown[]) => Promise<any>, stop: () => Promise<void> }>}
 * `details` is what the kind reports about itself; `stop` resolves when nothing is left of it, even if called twice.
 */
export async function keep(kind, options) {
  const keeper = fork(
    fileURLToPath(new URL("keeper.mjs", import.meta.url)),
    [kind, JSON.stringify(options)],
    // In its own group: Ctrl-C must reach it only through this process, or it would be ended while cleaning up.
    { detached: true, execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"] },
  );
  const answers =
    /** @type {Map<number, { resolve: (value: any) => void, reject: (error: Error) => void }>} */ (new Map());
  const gone = new Promise((resolve) => {
    keeper.once("error", resolve);
    keeper.once("exit", resolve);
  });
  gone.then(() => {
    for (const { reject } of answers.values()) reject(new Error(`The keeper of ${kind} ended unexpectedly.`));
  });
  keeper.on("message", (/** @type {any} */ { id, value, error }) => {
    const answer = answers.get(id);
    answers.delete(id);
    if (answers.size === 0) release();
    if (error === undefined) answer?.resolve(value);
    else answer?.reject(new Error(error));
  });

  let asked = 0;
  const ask = (/** @type {string} */ call, /** @type {unknown[]} */ ...args) =>
    new Promise((resolve, reject) => {
      const id = asked++;
      answers.set(id, { resolve, reject });
      hold();
      if (keeper.connected) keeper.send({ id, call, args });
      else reject(new Error(`The keeper of ${kind} has ended.`));
    });
  // The keeper does not keep this process alive; it ends with this process.
  const hold = () => {
    keeper.ref();
    keeper.channel?.ref();
  };
  const release = () => {
    keeper.unref();
    keeper.channel?.unref();
  };

  const stop = async () => {
    hold();
    if (keeper.connected) keeper.disconnect();
    await gone;
  };
  try {
    return { details: await ask("details"), ask, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
