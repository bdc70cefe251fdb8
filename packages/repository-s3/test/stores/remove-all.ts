import { DeleteObjectCommand, paginateListObjectsV2, type S3Client } from "@aws-sdk/client-s3";

/** Removes every object below the prefix, as another client would. */
export async function removeAll(client: S3Client, bucket: string, prefix: string): Promise<void> {
  for (const key of await keysBelow(client, bucket, prefix))
    await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
}

export async function keysBelow(client: S3Client, bucket: string, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix }))
    keys.push(...Contents.flatMap(({ Key }) => Key ?? []));
  return keys;
}
