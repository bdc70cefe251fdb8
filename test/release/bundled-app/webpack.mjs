import webpack from "webpack";

const [path] = process.argv.slice(2);
const configuration = {
  mode: /** @type {const} */ ("production"),
  target: "node22",
  entry: "./app-main.mjs",
  output: { path, filename: "webpack.cjs", chunkFilename: "webpack-[id].cjs" },
  // Minification takes most of the time and does not test our packages.
  optimization: { minimize: false },
};
webpack(configuration, (error, stats) => {
  if (!error && !stats?.hasErrors()) return;
  console.error(error ?? stats?.toString({ all: false, errors: true }));
  process.exitCode = 1;
});
