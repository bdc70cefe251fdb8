import commonjs from "@rollup/plugin-commonjs";
import json from "@rollup/plugin-json";
import nodeResolve from "@rollup/plugin-node-resolve";

export default {
  input: "app-main.mjs",
  plugins: [nodeResolve({ exportConditions: ["node"] }), commonjs(), json()],
  output: { format: "es", entryFileNames: "[name].mjs", chunkFileNames: "[name].mjs" },
};
