import { alternate } from "../../workspace/alternate.mjs";
import { inParallel } from "../../workspace/in-parallel.mjs";
import { accountant } from "../accounts.mjs";
import { countedS3 } from "../counted-s3.mjs";
import { listAll } from "../list-all.mjs";
import { aws, repositoryS3 } from "../packages.mjs";
import { placeIn } from "../place.mjs";

const BUCKET = "plain";
const AT_ONCE = 16;

/** Lists a bucket of plain folders without an index, compared with the SDK requesting the same pages and objects. */
export default async function plainBucket({ directory }) {
  const { client, spent } = countedS3(placeIn(directory).s3);
  const { accounts, counted, eachCounted } = accountant(spent);
  const known = repositoryS3.s3Repository({ client, bucket: BUCKET });
  const skillFiles = await bareKeys(client, "/SKILL.md");
  const first = await alternate(
    eachCounted({
      "bare SDK: the pages, then each SKILL.md, 16 at once": () => bareSkillFiles(client),
      "first listing": () => listAll(known),
    }),
    { warmUp: 0, rounds: 1 },
  );
  let changes = 0;
  const changed = "after one SKILL.md changed";
  const again = await alternate(
    {
      ...eachCounted({
        "bare SDK: the pages": () => bareKeys(client),
        "listing again, unchanged": () => listAll(known),
      }),
      [changed]: async () => {
        await change(client, skillFiles[7 * ++changes]);
        return await counted(changed, () => listAll(known))();
      },
    },
    { warmUp: 0, rounds: 3 },
  );
  client.destroy();
  return { times: { ...first, ...again }, accounts };
}

async function bareSkillFiles(client) {
  await inParallel(await bareKeys(client, "/SKILL.md"), AT_ONCE, async (Key) => {
    const { Body } = await client.send(new aws.GetObjectCommand({ Bucket: BUCKET, Key }));
    await Body.transformToByteArray();
  });
}

async function change(client, Key) {
  const { Body } = await client.send(new aws.GetObjectCommand({ Bucket: BUCKET, Key }));
  const text = `${await Body.transformToString()}\nMore.\n`;
  await client.send(new aws.PutObjectCommand({ Bucket: BUCKET, Key, Body: text }));
}

async function bareKeys(client, end = "") {
  const keys = [];
  for await (const { Contents } of aws.paginateListObjectsV2({ client }, { Bucket: BUCKET }))
    keys.push(...Contents.map(({ Key }) => Key));
  return keys.filter((key) => key.endsWith(end));
}
