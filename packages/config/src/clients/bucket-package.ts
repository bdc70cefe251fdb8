import { BUCKET_PACKAGES, importPeer } from "./import-peer.js";

/**
 * Imported only when a bucket is used, so that it need not be installed otherwise.
 * @throws SkillError `UNSUPPORTED`.
 */
export function bucketPackage(): Promise<typeof import("@skillwright/repository-s3")> {
  return importPeer(BUCKET_PACKAGES, "A bucket", () => import("@skillwright/repository-s3"));
}
