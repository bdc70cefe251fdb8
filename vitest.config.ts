import { defineConfig } from "vitest/config";

/** They share engines of containers, which are started once a run when they ask for them. */
const engineTests = [
  "packages/runtime-docker/test/**/*.test.ts",
  "{packages,apps}/*/test/**/*.docker.test.ts",
];

/** They share an S3 server, which is started once a run when one of them is in it. */
const storeTests = ["{packages,apps}/*/test/**/*.stores.test.ts", "test/stores/**/*.test.ts"];

const code = {
  name: "code",
  include: ["{packages,apps}/*/test/**/*.test.ts", "test/**/*.test.ts"],
  exclude: [...engineTests, ...storeTests],
  // A disk on which much was removed lately gives new files slowly.
  testTimeout: 60_000,
  // Deadlines are part of many promises, and a machine that is shared keeps none; the report says what was tried again.
  retry: process.env["CI"] ? 1 : 0,
};

const stores = {
  name: "stores",
  include: storeTests,
  globalSetup: "test/stores/global-setup.ts",
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // Without a server a file registers nothing, and the set-up says so. Where all is a must, nothing is a failure.
  passWithNoTests: process.env["SKILLWRIGHT_REQUIRE_ALL"] !== "1",
  // The server's own processes need one of two cores.
  fileParallelism: false,
  sequence: { groupOrder: 1 },
};

const engines = {
  name: "engines",
  include: engineTests,
  globalSetup: "packages/runtime-docker/test/engine-setup/global-setup.ts",
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // Without an engine a file registers nothing, and the set-up says so. Where engines are a must, nothing is a failure.
  passWithNoTests: process.env["SKILLWRIGHT_REQUIRE_ALL"] !== "1",
  // Engines do many things at once on two cores, and answer late or with an error of their own now and then.
  retry: 2,
  fileParallelism: false,
  // After the others, which would leave these deadlines no processor.
  sequence: { groupOrder: 2 },
};

export default defineConfig({
  // Tests run from source: no build first, and stack traces point at what was written.
  ssr: { resolve: { conditions: ["@skillwright/source"] } },
  test: {
    exclude: ["**/node_modules/**", "test/release/**"],
    projects: [
      { extends: true, test: code },
      { extends: true, test: stores },
      { extends: true, test: engines },
    ],
  },
});
