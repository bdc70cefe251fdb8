import { alternate } from "../../workspace/alternate.mjs";
import { accountant } from "../accounts.mjs";
import { countedS3 } from "../counted-s3.mjs";
import { listAll } from "../list-all.mjs";
import { skillOfRound } from "../named-skill.mjs";
import { aws, repositoryS3 } from "../packages.mjs";
import { placeIn } from "../place.mjs";

const BUCKET = "published";

/** Lists published skills without an index, compared with the SDK requesting the same pages. */
export default async function publishedBucket({ directory }) {
  const { s3 } = placeIn(directory);
  const { client, spent } = countedS3(s3);
  const { accounts, counted, eachCounted } = accountant(spent);
  const others = await repositoryS3.openS3Repository({ client: countedS3(s3).client, bucket: BUCKET });
  let round = 0;
  await others.upload(skillOfRound("bench-changing", round));
  const known = repositoryS3.s3Repository({ client, bucket: BUCKET });
  const first = { "first listing": [await counted("first listing", () => listAll(known, 1))()] };
  const changed = "after one skill was published anew";
  const again = await alternate(
    {
      ...eachCounted({
        "bare SDK: the pages": () => bareKeys(client),
        "listing again, unchanged": () => listAll(known, 1),
      }),
      [changed]: async () => {
        await others.upload(skillOfRound("bench-changing", ++round));
        return await counted(changed, () => listAll(known, 1))();
      },
    },
    { warmUp: 0, rounds: 5 },
  );
  await others.purge("bench-changing");
  client.destroy();
  return { times: { ...first, ...again }, accounts };
}

async function bareKeys(client) {
  const keys = [];
  const wanted = { Bucket: BUCKET, Prefix: ".skillwright/records/" };
  for await (const { Contents } of aws.paginateListObjectsV2({ client }, wanted))
    keys.push(...Contents.map(({ Key }) => Key));
  return keys;
}
