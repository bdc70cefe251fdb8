/**
 * Started by the measurement. Compares the index with the bucket, as each process does in the background after its first
 * listing, and reports how long that took. Then follows the index, and reports when a listing contains a new round.
 */
import { countedRedis } from "./counted-redis.mjs";
import { countedS3 } from "./counted-s3.mjs";
import { metadataRedis, repositoryS3, skillbox } from "./packages.mjs";
import { placeIn } from "./place.mjs";

const [directory, name] = process.argv.slice(2);
const place = placeIn(directory);
const { client } = await countedRedis(place);
const repository = skillbox.indexed(
  repositoryS3.s3Repository({ client: countedS3(place.s3).client, bucket: "published" }),
  metadataRedis.redisIndex({ client, name: "skills" }),
);
let seen = "";
let isListing = false;
let isToldMeanwhile = false;

process.on("disconnect", () => process.exit());
await repository.watch(() => void look());
await look();
const started = performance.now();
await repository.refresh();
process.send?.({ compared: performance.now() - started });

/** One listing at a time, and one more if a notification came during it. */
async function look() {
  isToldMeanwhile = isListing;
  if (isListing) return;
  isListing = true;
  do {
    isToldMeanwhile = false;
    const { skills } = await repository.list();
    const at = process.hrtime.bigint();
    const description = skills.find((skill) => skill.name === name)?.description ?? "";
    if (description !== seen) process.send?.({ description, at: String(at) });
    seen = description;
  } while (isToldMeanwhile);
  isListing = false;
}
