import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { startCephS3 } from "../../scripts/servers/ceph-s3.mjs";
import { built } from "../built.mjs";
import { aws, Redis } from "../stores/packages.mjs";
import { startRedis } from "../stores/redis-server.mjs";
import { program } from "./server-process.mjs";

const BUCKET = "shared";
const SCRIPT = `#!/bin/sh
# keep.sh LINE SECONDS [NAME]: writes the line, waits, and makes a file of that name.
echo "$1" >> "$WORK_DIR/lines.txt"
echo "begun $(cat inputs/given.txt)\${1#"$(cat inputs/given.txt)"}"
sleep "$2"
[ -z "$3" ] || echo "$1" > "$OUTPUT_DIR/$3"
echo "ended $1"
`;

/**
 * Parts of the keys that the stores have without any conversation: the counter of leases, the id of the records, and the object
 * that is written to test a bucket.
 */
const OF_THE_STORE = ["{workspaces}:token", "{records:data}", "/artifacts/probe"];

/**
 * Starts Redis and an S3 server, which the servers share, and publishes a skill that writes lines. Returns `argv` and `env` for
 * `skillwright serve`.
 */
export async function sharedStores(folder) {
  const [redis, s3] = await Promise.all([startRedis(folder), startCephS3()]);
  const { endpoint, accessKeyId, secretAccessKey } = s3;
  const env = {
    AWS_ENDPOINT_URL_S3: endpoint,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  };
  const storage = new aws.S3Client({
    ...{ endpoint, region: "us-east-1", forcePathStyle: true, credentials: { accessKeyId, secretAccessKey } },
    // Ceph 16 does not support trailing checksums of a stream.
    ...{ requestChecksumCalculation: "WHEN_REQUIRED", responseChecksumValidation: "WHEN_REQUIRED" },
  });
  const client = new Redis({ host: "127.0.0.1", port: redis.port });
  await storage.send(new aws.CreateBucketCommand({ Bucket: BUCKET }));
  await publish(folder, env);
  const { s3Artifacts } = await built("repository-s3");
  const artifacts = s3Artifacts({ client: storage, bucket: BUCKET, prefix: "saved" });

  /** Removes what killed saves left, and returns the other keys and objects that belong to conversations. */
  async function left() {
    await artifacts.cleanUp({ olderThanMs: 0 });
    const { Contents = [] } = await storage.send(
      new aws.ListObjectsV2Command({ Bucket: BUCKET, Prefix: "saved" }),
    );
    const objects = Contents.map(({ Key }) => Key);
    return [...(await client.keys("*")), ...objects].filter(
      (key) => !OF_THE_STORE.some((part) => key.includes(part)),
    );
  }

  return {
    env,
    argv: [
      ...["--records", `redis://127.0.0.1:${redis.port}`, "--artifacts", `s3://${BUCKET}/saved`],
      ...["--skills", `s3://${BUCKET}/skills`],
    ],
    left,
    stop: async () => {
      client.disconnect();
      storage.destroy();
      await Promise.all([redis.stop(), s3.stop()]);
    },
  };
}

/** Returns the tool call that runs the published skill. */
export function keepLine({ line, seconds, isSaved }) {
  const command = `sh scripts/keep.sh ${line} ${seconds}${isSaved ? ` ${line}.txt` : ""}`;
  const outputs = isSaved ? { outputs: { globs: ["out/**"], save: true } } : {};
  return { name: "skill_run", arguments: JSON.stringify({ skill: "keeper", command, ...outputs }) };
}

async function publish(folder, env) {
  const skill = join(folder, "keeper");
  await mkdir(join(skill, "scripts"), { recursive: true });
  const header = "---\nname: keeper\ndescription: Keeps lines. Use it for each line.\n---\n";
  await writeFile(join(skill, "SKILL.md"), `${header}Run scripts/keep.sh.\n`);
  await writeFile(join(skill, "scripts/keep.sh"), SCRIPT);
  const argv = [program, "publish", skill, "--to", `s3://${BUCKET}/skills`];
  await promisify(execFile)(process.execPath, argv, {
    cwd: folder,
    env: { HOME: folder, PATH: process.env.PATH, ...env },
  });
}
