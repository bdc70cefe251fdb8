import { expect } from "vitest";
import { checkArtifactScope, checkCommand, secretMasking } from "../../../packages/core/src/adapter.js";
import { containedPath, parseSkill, Secret } from "../../../packages/core/src/index.js";
import { memoryRepository } from "../../../packages/repository-memory/src/index.js";
import { takesAtMost } from "../boundary.js";
import { KIB, limitsOf, MIB } from "../limit.js";

const MANIFEST = "src/skill/manifest.ts";
const SKILL = "---\nname: one\ndescription: One.\n---\n";

export const coreLimits = limitsOf("core", [
  {
    option: "files of a skill",
    kind: "limit",
    value: 512,
    unit: "files",
    documented: [MANIFEST, "512 files, 16 MiB in total, 1 MiB for SKILL.md"],
    source: [MANIFEST, "files: 512"],
    probe: async (value) =>
      await takesAtMost(value, (count) =>
        uploaded(Array.from({ length: count - 1 }, (_, n) => ({ path: `f${n}`, content: "x" }))),
      ),
  },
  {
    option: "bytes of a skill",
    kind: "limit",
    value: 16 * MIB,
    unit: "bytes",
    documented: [MANIFEST, "512 files, 16 MiB in total, 1 MiB for SKILL.md"],
    source: [MANIFEST, "bytes: 16 * 1024 * 1024"],
    probe: async (value) =>
      await takesAtMost(value, (bytes) =>
        uploaded([{ path: "large", content: Buffer.alloc(bytes - SKILL.length) }]),
      ),
  },
  {
    option: "bytes of SKILL.md",
    kind: "limit",
    value: MIB,
    unit: "bytes",
    documented: [MANIFEST, "512 files, 16 MiB in total, 1 MiB for SKILL.md"],
    source: [MANIFEST, "skillFileBytes: 1024 * 1024"],
    probe: async (value) => await takesAtMost(value, (bytes) => uploaded([], SKILL.padEnd(bytes, "x"))),
  },
  {
    option: "header of SKILL.md",
    kind: "limit",
    value: 100 * KIB,
    unit: "characters",
    documented: ["README.md", "Headers of more than 100 Ki characters"],
    source: ["src/skill/read-header.ts", "MAX_HEADER_CHARACTERS = 100 * 1024"],
    probe: async (value) =>
      await takesHeader(value, (length) => "name: one\ndescription: ".padEnd(length, "d")),
  },
  {
    option: "lines, commas and brackets of the header",
    kind: "limit",
    value: 2500,
    unit: "marks",
    documented: ["README.md", "of more than 2,500 lines, commas and brackets"],
    source: ["src/skill/read-header.ts", "MAX_HEADER_MARKS = 2500"],
    probe: async (value) =>
      await takesHeader(value, (count) =>
        `name: one\ndescription: d\nx: ${"[],".repeat((count - 3) >> 1)}${count % 2 ? "" : ","}`
          .replace("x: ", "x: [")
          .concat("]"),
      ),
  },
  {
    option: "white space in a row in the header",
    kind: "limit",
    value: 1000,
    unit: "characters",
    documented: ["README.md", "1,000 spaces and line ends in a row"],
    source: ["src/skill/read-header.ts", "MAX_WHITE_SPACE = 1000"],
    probe: async (value) =>
      await takesHeader(value, (count) => `name: one\ndescription: d\nx:${" ".repeat(count)}y`),
  },
  {
    option: "path: characters",
    kind: "limit",
    value: 1024,
    unit: "characters",
    documented: ["src/contained-path.ts", "more than 1,024 characters or a part"],
    source: ["src/contained-path.ts", "MAX_PATH_LENGTH = 1024"],
    probe: async (value) =>
      await takesAtMost(
        value,
        (length) =>
          containedPath(
            "a/"
              .repeat(600)
              .slice(0, length - 1)
              .concat("b"),
          ),
        "PATH_INVALID",
      ),
  },
  {
    option: "path: bytes of a part",
    kind: "limit",
    value: 255,
    unit: "bytes",
    documented: ["src/contained-path.ts", "a part of more than 255 bytes"],
    source: ["src/contained-path.ts", "MAX_SEGMENT_BYTES = 255"],
    probe: async (value) =>
      await takesAtMost(value, (length) => containedPath("p".repeat(length)), "PATH_INVALID"),
  },
  {
    option: "part of an artifact's scope",
    kind: "limit",
    value: 128,
    unit: "characters",
    documented: ["src/artifact/artifact-store.ts", "Each part has 1 to 128 characters"],
    source: ["src/artifact/artifact-scope.ts", "MAX_PART_LENGTH = 128"],
    probe: async (value) =>
      await takesAtMost(value, (length) => checkArtifactScope({ app: "a".repeat(length) }), "INPUT_INVALID"),
  },
  {
    option: "command of a run, each variable",
    kind: "limit",
    value: 128 * KIB - 1,
    unit: "bytes",
    documented: ["/packages/runtime-local/README.md", "each variable can be up to 128 KiB"],
    source: ["src/runtime/check-command.ts", "MAX_STRING_BYTES = 128 * 1024 - 1"],
    probe: async (value) =>
      await takesAtMost(value, (length) =>
        checkCommand({
          ...{ runId: "r", cwd: ".", env: {}, timeoutMs: 1, maxOutputBytes: 1 },
          command: "x".repeat(length),
        }),
      ),
  },
  {
    option: "secret that is masked",
    kind: "limit",
    value: 8,
    unit: "bytes",
    documented: ["/packages/runtime-local/README.md", "A value of fewer than 8 bytes"],
    source: ["src/runtime/secret-strength.ts", "MIN_SECRET_BYTES = 8"],
    probe: (value) => {
      const digits = "a1b2c3d4e5f6g7h8";
      expect(isMasked(digits.slice(0, value))).toBe(true);
      expect(isMasked(digits.slice(0, value - 1))).toBe(false);
    },
  },
  {
    option: "secret that is masked: entropy",
    kind: "limit",
    value: 16,
    unit: "bits",
    documented: ["/packages/runtime-local/README.md", "less than 16 bits of entropy, is not masked"],
    source: ["src/runtime/secret-strength.ts", "MIN_SECRET_BITS = 16"],
    probe: (value) => {
      // Two digits in equal numbers have one bit each.
      expect(isMasked("01".repeat(value / 2))).toBe(true);
      expect(isMasked("01".repeat(value / 2 - 1))).toBe(false);
    },
  },
]);

function isMasked(secret: string): boolean {
  return secretMasking({ SECRET: new Secret(secret) }).text(secret) === "***";
}

async function uploaded(files: { path: string; content: string | Uint8Array }[], content = SKILL) {
  return await memoryRepository().upload([{ path: "SKILL.md", content }, ...files]);
}

async function takesHeader(value: number, header: (count: number) => string): Promise<void> {
  const isTaken = (count: number) =>
    parseSkill(`---\n${header(count)}\n---\nx`, { directoryName: "one" }).skill !== undefined;
  expect([isTaken(value), isTaken(value + 1)]).toEqual([true, false]);
}
