import { alternate } from "../../workspace/alternate.mjs";
import { accountant } from "../accounts.mjs";
import { catalogue, SKILLS } from "../catalogue.mjs";
import { countedS3 } from "../counted-s3.mjs";
import { fillPublished, isPublishable } from "../fill-bucket.mjs";
import { aws, repositoryS3 } from "../packages.mjs";
import { placeIn } from "../place.mjs";

const SIZES = [1, 1000, SKILLS];
const turns = { warmUp: 3, rounds: 15 };

/** The first listing of a new repository from packed heads, beside one GET of the packed heads by the SDK. */
export default async function packedHeads({ directory }) {
  const { client, spent } = countedS3(placeIn(directory).s3);
  const { accounts, eachCounted } = accountant(spent);
  const times = {};
  for (const count of SIZES) {
    const bucket = await packed(client, count);
    const Key = await packedKey(client, bucket);
    const each = eachCounted({
      [floorOf(count)]: async () => {
        const { Body } = await client.send(new aws.GetObjectCommand({ Bucket: bucket, Key }));
        await Body.transformToByteArray();
      },
      [listingOf(count)]: async () => {
        const { skills } = await repositoryS3.s3Repository({ client, bucket }).list();
        if (skills.length !== count) throw new Error(`${skills.length} skills were listed`);
      },
    });
    Object.assign(times, await alternate(each, turns));
  }
  client.destroy();
  return { times, accounts };
}

async function packed(client, count) {
  const bucket = count === SKILLS ? "published" : `published-${count}`;
  if (count !== SKILLS) {
    const skills = catalogue(count * 2 + 10).filter(isPublishable);
    await fillPublished(client, bucket, skills.slice(0, count));
  }
  const repository = await repositoryS3.openS3Repository({ client, bucket });
  await repository.cleanUp();
  return bucket;
}

async function packedKey(client, bucket) {
  const wanted = { Bucket: bucket, Prefix: ".skillwright/heads/packed/" };
  const { Contents } = await client.send(new aws.ListObjectsV2Command(wanted));
  return Contents[0].Key;
}

function floorOf(count) {
  return `bare SDK: the object with ${count} heads`;
}

function listingOf(count) {
  return `first listing of ${count}`;
}
