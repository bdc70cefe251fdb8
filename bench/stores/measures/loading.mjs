import { alternate } from "../../workspace/alternate.mjs";
import { inParallel } from "../../workspace/in-parallel.mjs";
import { accountant, together } from "../accounts.mjs";
import { countedRedis } from "../counted-redis.mjs";
import { countedS3 } from "../counted-s3.mjs";
import { skillOfFiftyFiles } from "../named-skill.mjs";
import { aws, core, metadataRedis, repositoryFs, repositoryS3, skillbox } from "../packages.mjs";
import { placeIn } from "../place.mjs";

const BUCKET = "published";
const NAME = "bench-fifty-files";
const AT_ONCE = 16;
const turns = { warmUp: 3, rounds: 30 };

/** Loads all of a published skill of 50 files, compared with the SDK reading the same objects; and through a cache on disk. */
export default async function loading({ directory }) {
  const place = placeIn(directory);
  const [s3, redis] = [countedS3(place.s3), await countedRedis(place)];
  const { accounts, eachCounted } = accountant(together(s3.spent, redis.spent));
  const { client } = s3;
  const bucket = await repositoryS3.openS3Repository({ client, bucket: BUCKET });
  const index = metadataRedis.redisIndex({ client: redis.client, name: "skills" });
  await skillbox.indexed(bucket, index).upload(skillOfFiftyFiles(NAME));
  const keys = await objectsOf(client, NAME);
  const fresh = () => repositoryS3.s3Repository({ client, bucket: BUCKET });
  const content = repositoryFs.fsContentStore({ root: `${directory}/content` });
  const cache = () => skillbox.cached(skillbox.indexed(fresh(), index), { content });
  const known = cache();
  await wholeSkill(known);
  const { version } = await known.load(NAME);

  const times = await alternate(
    eachCounted({
      "bare SDK: the 50 objects, 16 at once": () =>
        inParallel(keys, AT_ONCE, async (Key) => {
          const { Body } = await client.send(new aws.GetObjectCommand({ Bucket: BUCKET, Key }));
          await Body.transformToByteArray();
        }),
      "s3Repository that knows nothing: reader": () => readThrough(fresh()),
      "s3Repository that knows nothing: load, then reader": () => wholeSkill(fresh()),
      "cached() over indexed(), second time": () => wholeSkill(known),
      "cached() over indexed(), in a new process": () => wholeSkill(cache()),
      "cached() over indexed(), by version": () => wholeSkill(known, { version }),
    }),
    turns,
  );
  await known.close();
  redis.close();
  client.destroy();
  return { times, accounts };
}

async function wholeSkill(repository, options = {}) {
  const { manifest } = await repository.load(NAME, options);
  const read = await repository.reader(NAME, options);
  for (const { path, size } of manifest.files) await readFile(read, path, size);
}

/** A reader that knows the files, from the lock file or a listing. */
async function readThrough(repository) {
  const read = await repository.reader(NAME);
  for (const { path, content } of skillOfFiftyFiles(NAME)) await readFile(read, path, content.length);
}

async function readFile(read, path, size) {
  const bytes = await core.readBytes(await read(path), size);
  if (bytes.byteLength !== size) throw new Error(`${path} has ${bytes.byteLength} bytes`);
}

async function objectsOf(client, name) {
  const wanted = { Bucket: BUCKET, Prefix: `.skillwright/files/${name}/` };
  const { Contents } = await client.send(new aws.ListObjectsV2Command(wanted));
  if (Contents.length !== 50) throw new Error(`${Contents.length} objects were published`);
  return Contents.map(({ Key }) => Key);
}
