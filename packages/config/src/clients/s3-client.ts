import type { S3Client } from "@aws-sdk/client-s3";
import { BUCKET_PACKAGES, importPeer } from "./import-peer.js";

/** Variables by name, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** An S3 server; the one that the environment names where the endpoint is missing. */
export interface S3Server {
  readonly endpoint?: string | undefined;
  /** True where the bucket's name is part of the host. False by default, unless nobody names an endpoint. */
  readonly isVirtualHosted?: boolean | undefined;
}

/**
 * A client by the usual variables (`AWS_ACCESS_KEY_ID`, `AWS_PROFILE`, `AWS_REGION`, …), which the SDK reads itself.
 * With an endpoint of one's own (given, or in `AWS_ENDPOINT_URL_S3` or `AWS_ENDPOINT_URL`) buckets stand in the path, as
 * MinIO and Ceph want it, and the region may be missing.
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
    // Not every server knows checksums at the end of a stream: Ceph 16 refuses them.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    ...(credentials && { credentials }),
  });
}

/** Keys that are variables; everything else (profiles, roles, the machine's own) is found by the SDK. */
function credentialsOf(env: Environment) {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (!accessKeyId || !secretAccessKey) return undefined;
  const sessionToken = env["AWS_SESSION_TOKEN"];
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
}
