import { randomUUID } from "node:crypto";
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from "@aws-sdk/client-s3";
import { inject } from "vitest";

export interface FreshBucket {
  readonly bucket: string;
  /** A client for resources that are not shared; destroyed with the others when the bucket is removed. */
  connect(): S3Client;
  /** Removes the bucket with all its content. */
  remove(): Promise<void>;
}

/** A bucket for one suite on the S3 server of the run; for files `*.stores.test.ts` of any package. */
export async function freshBucket(): Promise<FreshBucket> {
  const bucket = `test-${randomUUID()}`;
  const clients: S3Client[] = [];
  const connect = (): S3Client => {
    const client = storesClient();
    clients.push(client);
    return client;
  };
  const own = connect();
  await own.send(new CreateBucketCommand({ Bucket: bucket }));

  async function remove(): Promise<void> {
    for await (const page of paginateListObjectsV2({ client: own }, { Bucket: bucket }))
      await Promise.all(
        (page.Contents ?? []).map(
          async ({ Key }) => await own.send(new DeleteObjectCommand({ Bucket: bucket, Key })),
        ),
      );
    await own.send(new DeleteBucketCommand({ Bucket: bucket }));
    for (const client of clients) client.destroy();
  }

  return { bucket, connect, remove };
}

/** A client of the S3 server of the run, with the settings that server needs; the caller destroys it. */
export function storesClient(): S3Client {
  const server = inject("s3");
  if (!server)
    throw new Error(
      'There is no S3 server in this run: ask hasAll("an S3 server") before a suite is registered.',
    );
  const { endpoint, accessKeyId, secretAccessKey } = server;
  return new S3Client({
    endpoint,
    region: "us-east-1",
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
    // Ceph 16 does not support trailing checksums of a stream.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
}
