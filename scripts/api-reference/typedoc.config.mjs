import { root } from "../bootstrap/root.mjs";
import { publicPackages } from "../bootstrap/workspace-packages.mjs";

/** All entries of the published packages, by the path of their sources. */
const entries = new Map(
  publicPackages().flatMap(({ directory, name, manifest }) =>
    Object.entries(manifest.exports ?? {}).flatMap(([subpath, conditions]) => {
      const source = conditions["@skillwright/source"];
      return source ? [[`${root}/${directory}/${source.slice(2)}`, name + subpath.slice(1)]] : [];
    }),
  ),
);

/** Options of TypeDoc, which fails on a link that leads nowhere. */
export default {
  name: "Skillwright",
  plugin: [nameModules],
  entryPoints: [...entries.keys()],
  tsconfig: "tsconfig.json",
  readme: `${root}/README.md`,
  projectDocuments: [
    `${root}/docs/*.md`,
    `${root}/docs/decisions/*.md`,
    `${root}/{packages,apps,examples}/*/README.md`,
  ],
  out: `${root}/artifacts/api-reference`,
  // `tsc` of the workspace reports errors of types.
  skipErrorChecking: true,
  ignoredHighlightLanguages: ["mermaid"],
  validation: { invalidLink: true, invalidPath: true, notExported: false },
  treatWarningsAsErrors: true,
  treatValidationWarningsAsErrors: true,
};

/** Calls each module by the name under which it is imported, not by the path of its file. */
function nameModules(app) {
  app.converter.on("resolveBegin", ({ project }) => {
    for (const module of project.children ?? []) {
      const [source] = module.sources ?? [];
      module.name = entries.get(source?.fullFileName) ?? module.name;
    }
  });
}
