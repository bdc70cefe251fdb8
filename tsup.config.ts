import { readFileSync } from "node:fs";
import { defineConfig } from "tsup";

/** Builds whatever the package in the working directory exports or offers as a command; `tsc` writes the declarations. */
const { exports = {}, bin = {} } = JSON.parse(readFileSync("package.json", "utf8")) as {
  exports?: Record<string, string | Record<string, string>>;
  bin?: Record<string, string>;
};

const exported = Object.values(exports).flatMap((target) =>
  typeof target === "string" ? [] : (target["@skillwright/source"] ?? []),
);
const commands = Object.values(bin).map((file) =>
  file.replace(/^\.?\/?dist\//, "src/").replace(/\.js$/, ".ts"),
);

export default defineConfig({
  entry: [...new Set([...exported.map((file) => file.replace(/^\.\//, "")), ...commands])],
  format: "esm",
  target: "node22",
  // Which file that is, the manifest's `imports` say to whoever takes the package.
  external: [/^#/],
  sourcemap: true,
  // The tarball contains the sources themselves.
  esbuildOptions: (options) => {
    options.sourcesContent = false;
  },
  clean: true,
  silent: true,
});
