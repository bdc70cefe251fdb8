import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** They share engines of containers, which are started once a run when they ask for them. */
const engineTests = [
  "packages/runtime-docker/test/**/*.test.ts",
  "{packages,apps}/*/test/**/*.docker.test.ts",
];

/** They need servers. The S3 server is started once a run when one of them is in it. */
const storeTests = ["{packages,apps}/*/test/**/*.stores.test.ts"];

/** They share one Kubernetes, which is started once a run. */
const clusterTests = [
  "packages/runtime-kubernetes/test/**/*.test.ts",
  "{packages,apps}/*/test/**/*.kubernetes.test.ts",
];

/** Tests of workspaces that run in pods, too, on runc and on gVisor. */
const podWorkspaceTests = [
  "packages/workspace/test/{collect,files,reconcile-skills,restored-snapshot,run,secret-outputs}.test.ts",
  ...(process.env["SKILLWRIGHT_FULL"]
    ? ["packages/workspace/test/{concurrent-runs,lifecycle,run-inputs}.test.ts"]
    : []),
];

/** The cluster tests that `.ci/run` runs: the main job of the agent, and the most important promises about pods, claims and gVisor. */
const usualClusterTests = [
  "packages/runtime-kubernetes/test/{attack/attack,faults/lost-connections,pod/hardening,ways/claim-faults,ways/claims}.test.ts",
  "apps/agent/test/pods.kubernetes.test.ts",
];

/**
 * They stop parts of the cluster or close its network, so that none of them runs beside another file. The contract runs two pods at once
 * by itself, which take all of the processor.
 */
const aloneClusterTests = [
  "packages/runtime-kubernetes/test/{contract,faults/{api-server-restarts,restarts,restarts-in-use},network/*}.test.ts",
];

/** Thousands of simulated workspaces, of which docs/scale.md has the figures, are no part of a usual run. */
const scaleTests = process.env["SKILLWRIGHT_SCALE"] ? [] : ["packages/runtime-kubernetes/test/scale/**"];

/** Tests that run on Docker with gVisor, which is built with the cluster; most of them run on the other engines, too. */
const gvisorTests = [
  "packages/runtime-docker/test/{gvisor/*,contract,container/hardening,container/leftovers,files/files,image/unfit-images,run/hostile-processes,run/process-shapes,runtime/outside}.test.ts",
];

/**
 * These stop, restart, pause or kill an engine or a process during a run. They take a quarter of the time of all engine tests, so only
 * `.ci/run all` runs them.
 */
const engineTroubleTests = [
  "packages/runtime-docker/test/{run/engine-trouble,runtime/engine-restart,runtime/kept-connections,runtime/limits-of-hosts}.test.ts",
  "packages/runtime-docker/test/engine-setup/private-engine.test.ts",
  "packages/cli/test/serve-killed-making.docker.test.ts",
];

/** They change nothing of the process that they run in, so that many files share one, and what it has loaded. */
const sharedTests = [
  "{apps/{agent,web},packages/{agent,archive,cli,config,contracts,core,injector,lint,mcp,metadata-redis,plugins,records,repository-fs,repository-git,repository-http,repository-mcp,repository-memory,repository-s3,repository-sql,server,skillbox,tools,web,workspace}}/test/**/*.test.ts",
  "test/{limits,repository,skills,spans}/**/*.test.ts",
];

/** The results of test files that `.ci/run` ran already. */
const finishedFile = process.env["SKILLWRIGHT_FINISHED"];
const finished = finishedFile
  ? (JSON.parse(readFileSync(finishedFile, "utf8")) as readonly { file: string }[]).map(({ file }) => file)
  : [];

/** They need several seconds of the processor each, for large data or many processes. `.ci/run` runs them, and `npm test` leaves them out. */
const largeTests = [
  "packages/cli/test/{serve-data,serve-shared,serve-upload,validate-many}.test.ts",
  "packages/metadata-redis/test/too-large.test.ts",
  "packages/repository-fs/test/killed-records.test.ts",
  "packages/workspace/test/{bootstrap-cache,bootstrap-killed,hostile-inputs,hostile-outputs,large-files,snapshot,two-processes}.test.ts",
  "packages/workspace/test/environment/environments.test.ts",
];

const browserTests = ["apps/web/test/journeys/**/*.test.ts", "packages/server/test/browser/**/*.test.ts"];

const gateTests = ["test/{gate,kept}/**/*.test.ts"];

/** They run one hundredth of each soak of bench/soaks; `.ci/run all` runs them. */
const soakTests = ["test/soaks/**/*.test.ts"];

/** They run the supervisor for another processor under emulation, which is slow; `.ci/run all` runs them. */
const emulatedTests = ["packages/supervisor/test/other-architecture.test.ts"];

const patient = {
  // A disk on which much was removed lately gives new files slowly, and a machine may have much else to do.
  testTimeout: 600_000,
  hookTimeout: 600_000,
};

/** What a test stubs is for itself. */
const ownStubs = { unstubEnvs: true, unstubGlobals: true, restoreMocks: true };

const shared = {
  ...patient,
  ...ownStubs,
  name: "shared",
  include: sharedTests,
  exclude: [...engineTests, ...storeTests, ...clusterTests, ...browserTests, ...largeTests, ...finished],
  isolate: false,
};

const large = { ...shared, name: "large", include: largeTests, exclude: finished };

const code = {
  ...patient,
  name: "code",
  include: ["{packages,apps}/*/test/**/*.test.ts", "test/**/*.test.ts"],
  exclude: [
    ...[
      sharedTests,
      engineTests,
      storeTests,
      clusterTests,
      browserTests,
      gateTests,
      emulatedTests,
      soakTests,
    ].flat(),
    ...finished,
  ],
};

const browser = {
  ...patient,
  name: "browser",
  include: browserTests,
  // A page is laid out and painted by processes of its own.
  fileParallelism: false,
  sequence: { groupOrder: 5 },
};

/** They test `.ci/run` itself, so that `npm test` leaves them out. */
const gate = { ...patient, name: "gate", include: gateTests };

const soaks = { ...patient, name: "soaks", include: soakTests };

const emulated = { ...patient, name: "emulated", include: emulatedTests };

const stores = {
  ...patient,
  name: "stores",
  include: storeTests,
  globalSetup: "test/stores/global-setup.ts",
  // Tests of queues and leases wait much of their time; the servers' own processes need the rest.
  maxWorkers: 2,
  sequence: { groupOrder: 1 },
};

const engines = {
  ...patient,
  name: "engines",
  include: engineTests,
  exclude: [
    ...clusterTests,
    "packages/runtime-docker/test/gvisor/**",
    // An engine reached with ssh is one more engine.
    ...(process.env["SKILLWRIGHT_ENGINES"]
      ? ["packages/runtime-docker/test/engine/ssh.test.ts", ...engineTroubleTests]
      : []),
  ],
  globalSetup: "packages/runtime-docker/test/engine-setup/global-setup.ts",
  // Much of the time is waited for an engine that makes containers.
  maxWorkers: 2,
  // How many concurrent tests of one file run at once.
  maxConcurrency: 2,
  sequence: { groupOrder: 2 },
};

const inTurn = {
  ...patient,
  fileParallelism: false,
  // How many concurrent tests of one file run at once. On gVisor, more than two slow each other down.
  maxConcurrency: 2,
};

const gvisor = {
  ...inTurn,
  name: "gvisor",
  include: gvisorTests,
  globalSetup: "packages/runtime-docker/test/engine-setup/gvisor-setup.ts",
  sequence: { groupOrder: 3 },
};

const inCluster = {
  ...inTurn,
  ...ownStubs,
  globalSetup: "packages/runtime-kubernetes/test/cluster-setup/global-setup.ts",
};

const kubernetes = {
  ...inCluster,
  name: "kubernetes",
  include: usualClusterTests,
  sequence: { groupOrder: 4 },
};

const kubernetesWhole = {
  ...inCluster,
  name: "kubernetes-whole",
  setupFiles: "packages/runtime-kubernetes/test/cluster-setup/workspace-tests.ts",
  include: [...clusterTests, ...podWorkspaceTests],
  exclude: [...usualClusterTests, ...aloneClusterTests, ...scaleTests],
  // Each file uses a namespace of its own and waits for pods much of its time.
  fileParallelism: true,
  maxWorkers: 2,
  sequence: { groupOrder: 6 },
};

const kubernetesAlone = {
  ...inCluster,
  name: "kubernetes-alone",
  include: aloneClusterTests,
  sequence: { groupOrder: 7 },
};

/**
 * Short files with many seconds of tests. In a fresh clone Vitest begins with the largest files, so that these would be the last ones, each
 * with one worker while the others have nothing to do.
 */
const LONG =
  /\/(?:limits\/documented-limits|(?:repository-git|records|runtime-local|runtime-docker)\/test\/contract|repository-mcp\/test\/odd-servers|composition\/in-process|cached\/contract|broken\/broken-index|mcp\/test\/skills-of-a-server)\.test\.ts$/;

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

const isShuffled = process.argv.some((argument) => argument.startsWith("--sequence.shuffle"));

/** As `npm test` has it; `.ci/run` names the projects. */
const withoutLanes = process.env["SKILLWRIGHT_WITHOUT_LANES"] === "1";

export default defineConfig({
  // Tests run from source: no build first, and stack traces point at what was written.
  ssr: { resolve: { conditions: ["@skillwright/source"] } },
  test: {
    exclude: ["**/node_modules/**", "test/release/**"],
    // Tests wait for other processes much of their time.
    maxWorkers: availableParallelism() + 1,
    // What is waited for may take its time on a busy machine; only a failure takes all of this.
    expect: { poll: { timeout: 180_000 } },
    ...(isShuffled ? {} : { sequence: { sequencer: LongFirst } }),
    reporters: ["default", "./test/needs/left-out-reporter.ts", "./test/needs/results-reporter.ts"],
    // Code that test processes run is counted. Code that only their child processes run, from dist, is not.
    coverage: {
      provider: "v8",
      include: ["{packages,apps}/*/src/**/*.ts"],
      reporter: ["text-summary", "html"],
      thresholds: { statements: 82, branches: 78, functions: 82, lines: 83 },
    },
    projects: (withoutLanes
      ? [code, shared]
      : [
          code,
          shared,
          large,
          gate,
          browser,
          stores,
          engines,
          emulated,
          soaks,
          gvisor,
          kubernetes,
          kubernetesWhole,
          kubernetesAlone,
        ]
    ).map((test) => ({
      extends: true,
      test,
    })),
  },
});
