import { ListMultipartUploadsCommand, paginateListObjectsV2, type S3Client } from "@aws-sdk/client-s3";

export interface StoredKeys {
  readonly records: number;
  readonly contents: number;
  /** Uploads that were started and never finished. */
  readonly uploads: number;
}

/** The stored artifacts below a prefix. */
export async function storedKeys(client: S3Client, bucket: string, prefix: string): Promise<StoredKeys> {
  const keys: string[] = [];
  for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix }))
    keys.push(...(page.Contents ?? []).map(({ Key }) => Key ?? ""));
  const uploads = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix }));
  return {
    records: keys.filter((key) => key.includes("/artifacts/records/")).length,
    contents: keys.filter((key) => key.includes("/artifacts/content/")).length,
    uploads: uploads.Uploads?.length ?? 0,
  };
}
