import { catalogue, SKILLS } from "../catalogue.mjs";
import { countedS3 } from "../counted-s3.mjs";
import { fillPlain, fillPublished, isPublishable } from "../fill-bucket.mjs";
import { fillFolders } from "../fill-folders.mjs";
import { placeIn } from "../place.mjs";
import { timed } from "../timed.mjs";

/** Stores the catalogue where the parts need it. */
export default async function filling({ directory, parts }) {
  const { s3 } = placeIn(directory);
  const skills = catalogue();
  const found = { skills: skills.length, files: 0, bytes: 0, seconds: {} };
  for (const { files } of skills)
    for (const { bytes } of files) {
      found.files++;
      found.bytes += bytes.byteLength;
    }
  const fills = {
    folders: () => fillFolders(`${directory}/skills`, skills),
    plain: async () => await withClient(s3, (client) => fillPlain(client, "plain", skills)),
    published: async () => {
      const some = catalogue(SKILLS * 1.1)
        .filter(isPublishable)
        .slice(0, SKILLS);
      if (some.length < SKILLS) throw new Error(`only ${some.length} skills can be published`);
      await withClient(s3, (client) => fillPublished(client, "published", some));
    },
  };
  for (const part of parts) found.seconds[part] = (await timed(fills[part])) / 1000;
  return found;
}

async function withClient(s3, work) {
  const { client } = countedS3(s3);
  await work(client);
  client.destroy();
}
