import { keep } from "../engines/keeper/keep.mjs";

/**
 * Starts an S3 server on loopback: Ceph's gateway over one monitor and one storage daemon (Debian's `ceph-mon`,
 * `ceph-osd` and `radosgw`), which keeps all objects in memory, up to 8 GiB. Settings are in one temporary directory, every
 * port was free before. It ends with this process at the latest.
 *
 * Clients need `forcePathStyle`, any region, and checksums only if required: this release does not support them at the
 * end of a stream.
 */
export async function startCephS3() {
  const { details, stop } = await keep("ceph", {});
  return {
    /** `http://127.0.0.1:port` */
    endpoint: /** @type {string} */ (details["endpoint"]),
    /** The keys of a user who may create buckets. */
    accessKeyId: /** @type {string} */ (details["accessKeyId"]),
    secretAccessKey: /** @type {string} */ (details["secretAccessKey"]),
    /** Ends it and removes its directory. */
    stop,
  };
}
