import { writeFileSync } from "node:fs";
import { root } from "../../scripts/bootstrap/root.mjs";
import { runCommand } from "../../scripts/run-command.mjs";

/** The two kinds of module resolution that users have: Node and bundlers. */
export const resolutions = {
  nodenext: { module: "nodenext", moduleResolution: "nodenext" },
  bundler: { module: "esnext", moduleResolution: "bundler" },
};

/**
 * Compiles a file of a project with installed packages, strictly, including their declarations, with the given compiler.
 *
 * @param {{ project: string, file: string, resolution: keyof typeof resolutions, compiler?: string, outDir?: string, hasNodeTypes?: boolean }} options
 */
export async function typeCheck({
  project,
  file,
  resolution,
  compiler = `${root}/node_modules/typescript`,
  outDir,
  hasNodeTypes = true,
}) {
  const configuration = {
    compilerOptions: {
      ...resolutions[resolution],
      target: "es2023",
      lib: ["es2023", "esnext.disposable", ...(hasNodeTypes ? [] : ["dom", "dom.asynciterable"])],
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      types: hasNodeTypes ? ["node"] : [],
      typeRoots: hasNodeTypes ? [`${root}/node_modules/@types`] : [],
      ...(outDir ? { outDir, rootDir: "." } : { noEmit: true }),
    },
    files: [file],
  };
  const name = `tsconfig.${resolution}.json`;
  writeFileSync(`${project}/${name}`, JSON.stringify(configuration, undefined, 2));
  await runCommand(process.execPath, [`${compiler}/bin/tsc`, "-p", name], { cwd: project });
}
