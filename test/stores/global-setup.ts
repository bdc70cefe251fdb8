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
    /** The S3 server that all files of a run share; undefined where none can be started, and no suite is registered. */
    s3: S3Server | undefined;
  }
}

/**
 * Starts the S3 server before the first file that wants one, and ends it after the last. Where that cannot be, one line says
 * why; with SKILLWRIGHT_REQUIRE_ALL=1 the files that want one fail then, and no others.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  try {
    const missing = missingForCeph();
    if (missing) throw new Error(missing);
    const { stop, ...server } = await startCephS3();
    project.provide("s3", server);
    return stop;
  } catch (error) {
    console.warn(`stores: suites on an S3 server are not registered: ${(error as Error).message}`);
    project.provide("s3", undefined);
    return undefined;
  }
}
