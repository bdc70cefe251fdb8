import { keep } from "./keeper/keep.mjs";
import { pushImage } from "./test-images/push-image.mjs";

/**
 * Starts a registry (Debian's `docker-registry`) on loopback, over plain HTTP, which engines allow there, with all of
 * its data in one temporary folder. It ends with this process at the latest.
 *
 * @param {{ credentials?: { username: string, password: string } }} [options] With `credentials` it serves nobody else.
 */
export async function startImageRegistry({ credentials } = {}) {
  const { details, stop } = await keep("registry", credentials ? { credentials } : {});
  const address = /** @type {string} */ (details["address"]);
  return {
    /** `127.0.0.1:port` */
    address,
    /**
     * Publishes a new image that no engine has a layer of: busybox, bash and `padding` bytes that do not compress.
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
