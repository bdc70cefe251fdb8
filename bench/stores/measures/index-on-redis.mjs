import { alternate } from "../../workspace/alternate.mjs";
import { accountant, together } from "../accounts.mjs";
import { countedRedis } from "../counted-redis.mjs";
import { countedS3 } from "../counted-s3.mjs";
import { listAll } from "../list-all.mjs";
import { skillOfRound } from "../named-skill.mjs";
import { metadataRedis, repositoryS3, skillbox } from "../packages.mjs";
import { placeIn } from "../place.mjs";
import { timed } from "../timed.mjs";

const BUCKET = "published";
const turns = { warmUp: 0, rounds: 25 };

/** Lists published skills from an index on Redis, compared with a bare HGETALL of the same and JSON.parse of each value. */
export default async function indexOnRedis({ directory }) {
  const place = placeIn(directory);
  const [s3, redis, others] = [countedS3(place.s3), await countedRedis(place), await countedRedis(place)];
  const { accounts, counted, eachCounted } = accountant(together(s3.spent, redis.spent));
  const bucket = await repositoryS3.openS3Repository({ client: s3.client, bucket: BUCKET });
  const writer = skillbox.indexed(
    bucket,
    metadataRedis.redisIndex({ client: others.client, name: "skills" }),
  );
  const reader = () =>
    skillbox.indexed(
      repositoryS3.s3Repository({ client: s3.client, bucket: BUCKET }),
      metadataRedis.redisIndex({ client: redis.client, name: "skills" }),
    );
  await bucket.upload(skillOfRound("bench-changing", 0));

  const building = "first listing where there is no index: it is built";
  const built = [await counted(building, () => listAll(reader(), 1))()];
  const known = reader();
  await listAll(known, 1);
  let round = 0;
  const changed = "after one skill was published anew";
  const times = await alternate(
    {
      ...eachCounted({
        "bare: HGETALL, JSON.parse of each value": () => bareEntries(redis.client),
        "first listing of a process": () => listAll(reader(), 1),
        "listing again, unchanged": () => listAll(known, 1),
      }),
      [changed]: async () => {
        await writer.upload(skillOfRound("bench-changing", ++round));
        return await counted(changed, async () => {
          const skills = await listAll(known, 1);
          const { description } = skills.find(({ name }) => name === "bench-changing");
          if (!description.endsWith(` ${round}.`)) throw new Error(`round ${round}: ${description}`);
        })();
      },
      "publishing a skill anew through `indexed`": () =>
        timed(() => writer.upload(skillOfRound("bench-changing", ++round))),
    },
    turns,
  );
  for (const one of [redis, others]) one.close();
  s3.client.destroy();
  return { times: { [building]: built, ...times }, accounts };
}

async function bareEntries(client) {
  const fields = await client.hgetall("skillwright:index:{skills}");
  const found = [];
  for (const [field, text] of Object.entries(fields))
    if (field.startsWith("skill:") || field.startsWith("broken:")) found.push(JSON.parse(text));
  return found;
}
