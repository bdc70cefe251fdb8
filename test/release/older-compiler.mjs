import { mkdirSync, writeFileSync } from "node:fs";
import {
  emptyProject,
  importedSubpaths,
  installPeers,
  npmInstall,
} from "../../scripts/packing/empty-project.mjs";
import { typed } from "./check-packed-package.mjs";
import { resolutions, typeCheck } from "./type-check.mjs";

/** The last compiler written in JavaScript, which many users have. */
const olderCompiler = "typescript@5.9.3";

/** Type-checks a project with all packages with the older compiler. */
export async function checkOlderCompiler({ project, packed, expected, check }) {
  const installed = await check("all packages install together", async () => {
    mkdirSync(project, { recursive: true });
    await emptyProject(project, packed, packed, expected.asOf);
    const peers = packed.flatMap(({ manifest }) => Object.entries(manifest.peerDependencies ?? {}));
    await npmInstall(project, [olderCompiler], expected.asOf);
    await installPeers(project, peers, packed, expected.asOf);
  });
  if (!installed) return;
  const specifiers = packed.flatMap(({ name, manifest }) =>
    importedSubpaths(manifest).map((subpath) => name + subpath.slice(1)),
  );
  writeFileSync(`${project}/typed.ts`, typed(specifiers));
  for (const resolution of /** @type {(keyof typeof resolutions)[]} */ (Object.keys(resolutions))) {
    await check(`all packages are typed under ${resolution} for ${olderCompiler}`, () =>
      typeCheck({ project, file: "typed.ts", resolution, compiler: `${project}/node_modules/typescript` }),
    );
  }
}
