import type { TestProject } from "vitest/node";
import { startCephS3 } from "../../scripts/servers/ceph-s3.mjs";
import { missingForCeph } from "../../scripts/servers/missing-for-ceph.mjs";

export interface S3Server {
  /** `http://127.0.0.1:port` */
  readonly endpoint: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

declare module "vitest" {
  interface ProvidedContext {
    /** The S3 server of all files of a run; undefined if its programs are not installed, and then no suite is registered. */
    s3: S3Server | undefined;
  }
}

/** Starts the S3 server before the first file that needs one, and ends it after the last. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  // Files that need one are then omitted.
  if (missingForCeph() !== undefined) return project.provide("s3", undefined) as undefined;
  const { stop, ...server } = await startCephS3();
  project.provide("s3", server);
  return stop;
}
