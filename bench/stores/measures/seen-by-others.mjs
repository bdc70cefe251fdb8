import { fork } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { countedRedis } from "../counted-redis.mjs";
import { countedS3 } from "../counted-s3.mjs";
import { skillOfRound } from "../named-skill.mjs";
import { metadataRedis, repositoryS3, skillbox } from "../packages.mjs";
import { placeIn } from "../place.mjs";

const NAME = "bench-watched";
const PROCESSES = 8;
const ROUNDS = 20;
const WARM_UP = 3;
const program = fileURLToPath(new URL("../watching-process.mjs", import.meta.url));

/**
 * The time from the end of an upload until each of eight processes that follow the index has a listing with the change;
 * measured when all of them have compared the index with the bucket, which they start to do at the same time.
 */
export default async function seenByOthers({ directory }) {
  const place = placeIn(directory);
  const [redis, { client }] = [await countedRedis(place), countedS3(place.s3)];
  const bucket = await repositoryS3.openS3Repository({ client, bucket: "published" });
  // The bucket was filled without publishing, which packs the heads.
  await bucket.cleanUp();
  const writer = skillbox.indexed(bucket, metadataRedis.redisIndex({ client: redis.client, name: "skills" }));
  await writer.list();
  const children = Array.from({ length: PROCESSES }, () => fork(program, [directory, NAME]));
  try {
    const ready = await Promise.all(children.map((child) => message(child, ({ compared }) => compared)));
    const comparing = ready.map(({ compared }) => compared);
    const each = [];
    const last = [];
    for (let round = 1; round <= ROUNDS + WARM_UP; round++) {
      const seen = Promise.all(
        children.map((child) => message(child, ({ description }) => description?.endsWith(` ${round}.`))),
      );
      await writer.upload(skillOfRound(NAME, round));
      const ended = process.hrtime.bigint();
      const times = (await seen).map(({ at }) => Math.max(0, Number(BigInt(at) - ended) / 1e6));
      if (round > WARM_UP) {
        each.push(...times);
        last.push(Math.max(...times));
      }
      await delay(50);
    }
    const processes = `${PROCESSES} processes`;
    return {
      times: {
        [`each of ${processes}`]: each,
        [`the last of ${processes}`]: last,
        [`comparing first, ${processes} at once`]: comparing,
      },
      accounts: {},
    };
  } finally {
    for (const child of children) child.kill("SIGKILL");
    redis.close();
    client.destroy();
  }
}

/** The next matching message; rejects when the process ends. */
function message(child, isWanted) {
  return new Promise((resolve, reject) => {
    const settle = (act) => {
      child.off("message", onMessage);
      child.off("exit", onExit);
      act();
    };
    const onMessage = (found) => {
      if (isWanted(found)) settle(() => resolve(found));
    };
    const onExit = (code) => settle(() => reject(new Error(`a watching process ended with ${code}`)));
    child.on("message", onMessage);
    child.on("exit", onExit);
  });
}
