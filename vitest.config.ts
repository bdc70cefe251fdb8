import { defineConfig } from "vitest/config";

export default defineConfig({
  // Tests run from source: no build first, and stack traces point at what was written.
  ssr: { resolve: { conditions: ["@skillwright/source"] } },
  test: {
    include: ["{packages,apps}/*/test/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "test/release/**"],
    testTimeout: 20_000,
  },
});
