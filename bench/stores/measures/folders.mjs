import fs from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { alternate } from "../../workspace/alternate.mjs";
import { inParallel } from "../../workspace/in-parallel.mjs";
import { countedFiles } from "../counted-files.mjs";
import { listAll } from "../list-all.mjs";
import { repositoryFs } from "../packages.mjs";
import { timed } from "../timed.mjs";

const AT_ONCE = 16;
const HEAD_BYTES = 2048;
const turns = { warmUp: 0, rounds: 5 };

/** Lists directories, compared with bare reads of the same heads and stats of the same files at known paths. */
export default async function folders({ directory }) {
  const root = `${directory}/skills`;
  const entries = fs.readdirSync(root, { recursive: true, withFileTypes: true });
  const paths = [root, ...entries.map(pathOf)];
  const directories = [root, ...entries.filter((entry) => entry.isDirectory()).map(pathOf)];
  const heads = entries.filter(({ name }) => name === "SKILL.md").map(pathOf);
  const known = repositoryFs.fsRepository({ root });
  const cold = () => listAll(repositoryFs.fsRepository({ root }));
  const warm = () => listAll(known);
  let changes = 0;
  const change = () => {
    const path = heads[(7 * ++changes) % heads.length];
    fs.writeFileSync(path, `${fs.readFileSync(path, "utf8")}\nMore.\n`);
  };
  const times = await alternate(
    {
      "bare: open, read 2 KiB, close each SKILL.md, 16 at once": () => inParallel(heads, AT_ONCE, bareHead),
      "first listing": cold,
    },
    turns,
  );
  await warm();
  Object.assign(
    times,
    await alternate(
      {
        "bare: lstat of each file and folder, 16 at once": () => inParallel(paths, AT_ONCE, bareStat),
        "bare: the same and readdir of each folder, 16 at once": async () => {
          await inParallel(paths, AT_ONCE, bareStat);
          await inParallel(directories, AT_ONCE, bareNames);
        },
        "listing again, unchanged": warm,
        "after one SKILL.md changed": async () => {
          change();
          return await timed(warm);
        },
      },
      turns,
    ),
  );
  const accounts = {
    "bare: open, read 2 KiB, close each SKILL.md, 16 at once": await countedFiles(() =>
      inParallel(heads, AT_ONCE, bareHead),
    ),
    "first listing": await countedFiles(cold),
    "bare: lstat of each file and folder, 16 at once": await countedFiles(() =>
      inParallel(paths, AT_ONCE, bareStat),
    ),
    "listing again, unchanged": await settled(warm, () => countedFiles(warm)),
  };
  change();
  accounts["after one SKILL.md changed"] = await countedFiles(warm);
  return { times, accounts };
}

/** A recently written file can change again without a trace, and is read again until it is older. */
async function settled(list, work) {
  await delay(200);
  await list();
  return await work();
}

function pathOf({ parentPath, path, name }) {
  return join(parentPath ?? path, name);
}

/** @returns {Promise<void>} */
function bareHead(path) {
  return new Promise((resolve, reject) => {
    fs.open(path, "r", (failure, descriptor) => {
      if (failure) return reject(failure);
      fs.read(descriptor, Buffer.allocUnsafe(HEAD_BYTES), 0, HEAD_BYTES, null, (error) => {
        fs.close(descriptor, () => (error ? reject(error) : resolve()));
      });
    });
  });
}

function bareStat(path) {
  return new Promise((resolve, reject) => {
    fs.lstat(path, { bigint: true }, (error, stat) => (error ? reject(error) : resolve(stat)));
  });
}

function bareNames(path) {
  return new Promise((resolve, reject) => {
    fs.readdir(path, { withFileTypes: true }, (error, names) => (error ? reject(error) : resolve(names)));
  });
}
