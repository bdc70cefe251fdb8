import type { S3Client } from "@aws-sdk/client-s3";
import { BUCKET_PACKAGES, importPeer } from "./import-peer.js";

/** Variables by name, in the form of `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** An S3 server; without an endpoint, the one that the environment names. */
export interface S3Server {
  readonly endpoint?: string | undefined;
  /** True where the bucket's name is part of the host. Defaults to false, or to true where no endpoint is named. */
  readonly isVirtualHosted?: boolean | undefined;
}

/**
 * Creates a client from the standard variables (`AWS_ACCESS_KEY_ID`, `AWS_PROFILE`, `AWS_REGION`, …), which the SDK
 * reads itself. With a custom endpoint (given, or in `AWS_ENDPOINT_URL_S3` or `AWS_ENDPOINT_URL`) the bucket is part of
 * the path, as MinIO and Ceph require, and the region is optional.
 * @throws SkillError `UNSUPPORTED` where `@aws-sdk/client-s3` is not installed.
 */
export async function s3Client(env: Environment, server: S3Server = {}): Promise<S3Client> {
  const { S3Client } = await importPeer(BUCKET_PACKAGES, "A bucket", () => import("@aws-sdk/client-s3"));
  const credentials = credentialsOf(env);
  const endpoint = server.endpoint ?? env["AWS_ENDPOINT_URL_S3"] ?? env["AWS_ENDPOINT_URL"];
  const region = env["AWS_REGION"] ?? env["AWS_DEFAULT_REGION"];
  if (!endpoint) return new S3Client({ ...(region && { region }), ...(credentials && { credentials }) });
  return new S3Client({
    endpoint,
    region: region ?? "us-east-1",
    forcePathStyle: !server.isVirtualHosted,
    // Not every server supports checksums at the end of a stream: Ceph 16 refuses them.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    ...(credentials && { credentials }),
  });
}

/** Keys given as variables; the SDK finds everything else (profiles, roles, the machine's own). */
function credentialsOf(env: Environment) {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (!accessKeyId || !secretAccessKey) return undefined;
  const sessionToken = env["AWS_SESSION_TOKEN"];
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
}
