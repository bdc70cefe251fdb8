/**
 * Saves generated content with the built package and reads it back, as a process of its own whose memory can be measured:
 * `large-content.mjs <endpoint> <bucket> <MiB> ...`, with the credentials in the environment. Prints a line for each size:
 * the bytes saved, whether they came back, and the most memory that the process has had so far, in MiB.
 */
import { createHash } from "node:crypto";
import { S3Client } from "@aws-sdk/client-s3";
import { s3Artifacts } from "@skillwright/repository-s3";

const MIB = 1024 * 1024;
const [endpoint, bucket, ...sizes] = process.argv.slice(2);
const client = new S3Client({
  endpoint,
  region: "us-east-1",
  forcePathStyle: true,
  requestChecksumCalculation: "WHEN_REQUIRED",
  responseChecksumValidation: "WHEN_REQUIRED",
});
const artifacts = s3Artifacts({ client, bucket });
const scope = { app: "test", user: "ada", session: "one" };

for (const size of sizes) {
  const saved = await artifacts.save(scope, `${size}.bin`, generated(Number(size)));
  const hash = createHash("sha256");
  for await (const piece of (await artifacts.open(scope, `${size}.bin`)).content) hash.update(piece);
  const isSame = hash.digest("hex") === saved.sha256;
  const peak = Math.round(process.resourceUsage().maxRSS / 1024);
  console.log(JSON.stringify({ bytes: saved.size, isSame, peak }));
}
client.destroy();

async function* generated(mebibytes) {
  const piece = Buffer.alloc(MIB);
  for (let index = 0; index < mebibytes; index++) {
    piece.fill(index % 251);
    piece.writeUInt32LE(index);
    yield piece;
  }
}
