import { expect } from "vitest";
import { takesAtMost } from "../boundary.js";
import { commandOf, file, inputOf, ran, savedOf, text } from "../fake-runs.js";
import { GIB, KIB, limitsOf, MIB, MINUTE } from "../limit.js";

const OUTPUTS = "src/collect/output-plan.ts";
const GLOBS = "src/collect/output-globs.ts";
const LIMITS =
  "Timeout 600 s, which is also the maximum; command 64 KiB; variables 32 KiB; 64 inputs; 64 globs of 512 characters";
const COLLECTED = "Default limits are 100 files, 4 MiB per file, 64 MiB in total.";

export const runLimits = limitsOf("workspace", [
  {
    option: "`run`: `timeoutMs`",
    kind: "default",
    value: 10 * MINUTE,
    unit: "ms",
    documented: ["README.md", LIMITS],
    source: ["src/run/check-run.ts", "MAX_TIMEOUT_MS = 600_000"],
    probe: async (value) => expect(await commandOf({})).toMatchObject({ timeoutMs: value }),
  },
  {
    option: "`run`: `timeoutMs`, most",
    kind: "limit",
    value: 10 * MINUTE,
    unit: "ms",
    documented: ["README.md", LIMITS],
    source: ["src/run/check-run.ts", "MAX_TIMEOUT_MS = 600_000"],
    probe: async (value) => await takesAtMost(value, (timeoutMs) => commandOf({ timeoutMs })),
  },
  {
    option: "`run`: `command`",
    kind: "limit",
    value: 64 * KIB,
    unit: "bytes",
    documented: ["README.md", LIMITS],
    source: ["src/run/check-run.ts", "MAX_COMMAND_BYTES = 64 * 1024"],
    probe: async (value) => await takesAtMost(value, (length) => commandOf({ command: "x".repeat(length) })),
  },
  {
    option: "`run`: `env`, all of it",
    kind: "limit",
    value: 32 * KIB,
    unit: "bytes",
    documented: ["README.md", LIMITS],
    source: ["src/run/run-environment.ts", "MAX_BYTES = 32 * 1024"],
    probe: async (value) =>
      await takesAtMost(value, (length) => commandOf({ env: { A: "x".repeat(length - 1) } })),
  },
  {
    option: "`run`: `inputs`",
    kind: "limit",
    value: 64,
    unit: "inputs",
    documented: ["README.md", LIMITS],
    source: ["src/inputs/plan-inputs.ts", "MAX_INPUTS = 64"],
    probe: async (value) =>
      await takesAtMost(value, (count) =>
        commandOf({
          inputs: Array.from({ length: count }, (_, n) => ({ from: "artifact://a", to: `work/inputs/${n}` })),
        }),
      ),
  },
  {
    option: "`run`: files of all inputs",
    kind: "limit",
    value: 5000,
    unit: "files",
    documented: ["README.md", "All inputs together: 5,000 files, 4 GiB."],
    source: ["src/inputs/input-budget.ts", "files: 5000"],
    probe: async (value) =>
      await takesAtMost(value, (count) =>
        inputOf(Object.fromEntries(Array.from({ length: count }, (_, n) => [`out/a/${n}`, { size: 0 }]))),
      ),
  },
  {
    option: "`run`: bytes of all inputs",
    kind: "limit",
    value: 4 * GIB,
    unit: "bytes",
    documented: ["README.md", "All inputs together: 5,000 files, 4 GiB."],
    source: ["src/inputs/input-budget.ts", "bytes: 4 * 1024 ** 3"],
    probe: async (value) => await takesAtMost(value, (size) => inputOf({ "out/a/f": { size } })),
  },
  {
    option: "`run`: `outputs.globs`",
    kind: "limit",
    value: 64,
    unit: "globs",
    documented: ["README.md", LIMITS],
    source: [GLOBS, "MAX_GLOBS = 64"],
    probe: async (value) =>
      await takesAtMost(
        value,
        (count) => commandOf({ outputs: { globs: Array(count).fill("out/a") } }),
        "INPUT_INVALID",
      ),
  },
  {
    option: "`run`: a glob",
    kind: "limit",
    value: 512,
    unit: "characters",
    documented: ["README.md", LIMITS],
    source: [GLOBS, "MAX_LENGTH = 512"],
    probe: async (value) =>
      await takesAtMost(
        value,
        (length) => commandOf({ outputs: { globs: ["out/".padEnd(length, "x")] } }),
        "INPUT_INVALID",
      ),
  },
  {
    option: "`run`: a glob's patterns, braces written out",
    kind: "limit",
    value: 64,
    unit: "patterns",
    documented: [GLOBS, "more than 64 patterns after brace expansion (256 over all globs)"],
    source: [GLOBS, "MAX_PATTERNS = 64"],
    probe: async (value) =>
      await takesAtMost(
        value,
        (count) => commandOf({ outputs: { globs: [`out/{1..${count}}`] } }),
        "INPUT_INVALID",
      ),
  },
  {
    option: "`run`: patterns of all globs",
    kind: "limit",
    value: 256,
    unit: "patterns",
    documented: [GLOBS, "more than 64 patterns after brace expansion (256 over all globs)"],
    source: [GLOBS, "MAX_ALL_PATTERNS = 256"],
    probe: async (value) =>
      await takesAtMost(
        value,
        (count) =>
          commandOf({ outputs: { globs: [...Array(4).fill("out/{1..50}"), `out/{1..${count - 200}}`] } }),
        "INPUT_INVALID",
      ),
  },
  {
    option: "`run`: kept of each of stdout and stderr",
    kind: "limit",
    value: MIB,
    unit: "bytes",
    documented: ["README.md", "1 MiB kept of each of stdout and stderr"],
    source: ["src/run/command-of-run.ts", "MAX_OUTPUT_BYTES = 1024 * 1024"],
    probe: async (value) => expect(await commandOf({})).toMatchObject({ maxOutputBytes: value }),
  },
  {
    option: "`run`: `editorText`",
    kind: "limit",
    value: MIB,
    unit: "bytes",
    documented: ["src/run/editor-script.ts", "`LIMIT_EXCEEDED` above 1 MiB"],
    source: ["src/run/editor-script.ts", "MAX_BYTES = 1024 * 1024"],
    probe: async (value) =>
      await takesAtMost(value, (length) => commandOf({ editorText: "x".repeat(length) })),
  },
  {
    option: "`run`: `outputs.maxFiles`",
    kind: "default",
    value: 100,
    unit: "files",
    documented: ["README.md", COLLECTED],
    source: [OUTPUTS, "maxFiles: 100"],
    probe: async (value) => {
      const files = Object.fromEntries(Array.from({ length: 3 * value }, (_, n) => [`out/${n}`, file(1)]));
      expect(await savedOf(files)).toBe(value);
    },
  },
  {
    option: "`run`: `outputs.maxFileBytes`",
    kind: "default",
    value: 4 * MIB,
    unit: "bytes",
    documented: ["README.md", COLLECTED],
    source: [OUTPUTS, "maxFileBytes: 4 * 1024 * 1024"],
    probe: async (value) =>
      expect([await savedOf({ "out/a": file(value) }), await savedOf({ "out/a": file(value + 1) })]).toEqual([
        1, 0,
      ]),
  },
  {
    option: "`run`: `outputs.maxTotalBytes`",
    kind: "default",
    value: 64 * MIB,
    unit: "bytes",
    documented: ["README.md", COLLECTED],
    source: [OUTPUTS, "maxTotalBytes: 64 * 1024 * 1024"],
    probe: async (value) => {
      const files = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`out/${n}`, file(4 * MIB)]));
      expect(await savedOf(files)).toBe(value / (4 * MIB));
    },
  },
  {
    option: "`run`: given inline of a file",
    kind: "limit",
    value: 16 * MIB,
    unit: "bytes",
    documented: ["README.md", "at most 16 MiB a file"],
    source: [OUTPUTS, "INLINE_CAP = 16 * 1024 * 1024"],
    probe: async (value) => {
      const outputs = { globs: [], inline: true, maxFileBytes: 2 * value, maxTotalBytes: 4 * value };
      const { result } = await ran({ outputs }, { "out/a": text(value + 1) });
      expect(result.outputs[0]?.content).toHaveLength(value);
    },
  },
]);
