import { createRequire } from "node:module";
import { buffer } from "node:stream/consumers";
import { root } from "../../scripts/bootstrap/root.mjs";
import { alternate } from "../workspace/alternate.mjs";
import { bareEngine, containerOf, openWorkspaces, skillMarkdown } from "./parts.mjs";

const tar = createRequire(`${root}/packages/runtime-docker/package.json`)("tar-stream");
const FILES = 1000;

/** Stages a skill of 1,000 files of 2 kB, compared with a ready archive of the same files in memory. */
export default async function staging(place) {
  const files = Object.fromEntries(
    Array.from({ length: FILES - 1 }, (_, index) => [
      `data/part-${Math.floor(index / 50)}/file-${index}.txt`,
      `${index} `.padEnd(2000, "x"),
    ]),
  );
  const names = Array.from({ length: 24 }, (_, index) => `large-${index}`);
  const skills = Object.fromEntries(
    names.map((name) => [name, { "SKILL.md": skillMarkdown(name), ...files }]),
  );
  const house = openWorkspaces(place, skills);
  try {
    const docker = bareEngine(place);
    const { id } = await house.workspaces.create();
    const workspace = await house.runtime.attach(id);
    const container = await containerOf(docker, house.namespace);
    let made = 0;
    let staged = 0;
    const times = await alternate(
      {
        "putArchive of 1,000 files, ready in memory": async () => {
          const archive = await packed(`bare-${++made}`, files);
          const started = performance.now();
          await container.putArchive(archive, { path: "/skillwright/workspace/skills" });
          return performance.now() - started;
        },
        "dockerRuntime: first staging of 1,000 files": async () => {
          const name = names[staged++];
          const entries = Object.entries({ "SKILL.md": skillMarkdown(name), ...files });
          const skill = {
            name,
            digest: `sha256:${String(staged).padStart(64, "0")}`,
            files: async function* () {
              for (const [path, content] of entries) yield { path, content: Buffer.from(content) };
            },
          };
          const started = performance.now();
          await workspace.stage(skill);
          const took = performance.now() - started;
          await workspace.unstage(name);
          return took;
        },
      },
      { warmUp: 2, rounds: 15 },
    );
    const [bare, ours] = Object.keys(times);
    return {
      times,
      ratios: [
        { what: "staging 1,000 files against a bare putArchive", of: ours, to: bare, must: 1.5, aim: 1.3 },
      ],
    };
  } finally {
    await house.close();
  }
}

async function packed(name, files) {
  const pack = tar.pack();
  pack.entry({ name, type: "directory", mode: 0o755 });
  for (const [path, content] of Object.entries(files))
    pack.entry({ name: `${name}/${path}`, mode: 0o644 }, content);
  pack.finalize();
  return await buffer(pack);
}
