import { keep } from "./keeper/keep.mjs";
import { pushImage } from "./test-images/push-image.mjs";

/**
 * Starts a registry (Debian's `docker-registry`) on loopback, over plain HTTP, which engines permit there, with all of
 * its data in one temporary directory. It ends with this process at the latest.
 *
 * @param {{ credentials?: { username: string, password: string } }} [options] With `credentials` it requires them.
 */
export async function startImageRegistry({ credentials } = {}) {
  const { details, stop } = await keep("registry", credentials ? { credentials } : {});
  const address = /** @type {string} */ (details["address"]);
  return {
    /** `127.0.0.1:port` */
    address,
    /**
     * Publishes a new image whose layers no engine has: busybox, bash and `padding` random bytes.
     *
     * @param {string} name `repository:tag`
     * @param {{ padding?: number }} [options]
     * @returns {Promise<string>} The name to pull.
     */
    publish: async (name, options = {}) => {
      await pushImage(`http://${address}`, name, { ...options, credentials });
      return `${address}/${name}`;
    },
    /** Ends it and removes its data. */
    stop,
  };
}
