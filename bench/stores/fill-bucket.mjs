import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { inParallel } from "../workspace/in-parallel.mjs";
import { aws, core } from "./packages.mjs";

const AT_ONCE = 32;
const NUMBER = 1;
/** Numbers of records count down from here. */
const LAST = 999_999_999_999;

/** The objects that a copying tool writes for directories. */
export async function fillPlain(client, bucket, skills) {
  const objects = skills.flatMap(({ folder, files }) =>
    files.map(({ path, bytes }) => ({ key: `${folder}/${path}`, bytes })),
  );
  await putAll(client, bucket, objects);
}

/**
 * The records that publishing writes, created concurrently: one skill after the other would take ten times as long. The
 * files they name are omitted, since no listing reads them.
 */
export async function fillPublished(client, bucket, skills) {
  await putAll(client, bucket, skills.map(recordObject));
}

/**
 * Names that publishing accepts; the others are omitted.
 *
 * @param {{ files: Record<string, any>[] }} skill
 */
export function isPublishable({ files: [skillFile] }) {
  const { skill } = core.parseSkill(skillFile.bytes, { directoryName: "" });
  return skill !== undefined && core.isSkillName(skill.name);
}

function recordObject({ files }) {
  const upload = randomUUID();
  const hashed = files.map(({ path, bytes }) => ({
    path,
    size: bytes.byteLength,
    executable: false,
    sha256: createHash("sha256").update(bytes).digest("hex"),
  }));
  const manifest = core.skillManifest(hashed);
  const { skill } = core.parseSkill(files[0].bytes, { directoryName: "" });
  const { name, description, frontmatter } = skill;
  const { diagnostics } = core.parseSkill(files[0].bytes, { directoryName: name });
  const record = {
    formatVersion: 1,
    ...{ number: NUMBER, id: randomUUID(), name, createdAt: new Date().toISOString(), since: 0 },
    ...{ kind: "published", path: name, hides: [name], digest: core.manifestDigest(manifest) },
    ...{ description, frontmatter, diagnostics },
    files: manifest.files.map((file) => ({ ...file, upload })),
  };
  const key = `.skillwright/records/${name}/${LAST - NUMBER}.json`;
  return { key, bytes: Buffer.from(JSON.stringify(record)) };
}

/** Everybody can write to and read from the bucket, because signing each request takes longer than sending it. */
async function putAll(client, bucket, objects) {
  await client.send(new aws.CreateBucketCommand({ Bucket: bucket, ACL: "public-read-write" }));
  const { protocol, hostname, port } = await client.config.endpoint();
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const place = { method: "PUT", agent, protocol, hostname, port };
  await inParallel(objects, AT_ONCE, async ({ key, bytes }) => {
    const path = `/${bucket}/${key.split("/").map(encodeURIComponent).join("/")}`;
    const headers = { "content-length": bytes.byteLength, "x-amz-acl": "public-read" };
    const sent = request({ ...place, path, headers }).end(bytes);
    const [answer] = await once(sent, "response");
    answer.resume();
    await once(answer, "end");
    if (answer.statusCode !== 200) throw new Error(`PUT of ${key} was answered by ${answer.statusCode}`);
  });
  agent.destroy();
}
