import { BUCKET_PACKAGES, importPeer } from "./import-peer.js";

/**
 * Loaded when a bucket is named: where there is none it need not be installed.
 * @throws SkillError `UNSUPPORTED`.
 */
export function bucketPackage(): Promise<typeof import("@skillwright/repository-s3")> {
  return importPeer(BUCKET_PACKAGES, "A bucket", () => import("@skillwright/repository-s3"));
}
