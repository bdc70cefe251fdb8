import { expect } from "vitest";
import { skillProposals, storedApprovals } from "../../../packages/tools/src/index.js";
import { skillFile } from "../../../packages/tools/test/example-skills.js";
import { KIB, limitsOf, MIB } from "../limit.js";

import {
  box,
  callOne,
  documents,
  isMost,
  isMostProposed,
  listed,
  output,
  refused,
  update,
} from "../one-skill.js";

export const skillToolLimits = limitsOf("tools", [
  {
    option: "`maxResultCharacters`",
    kind: "default",
    value: 64 * KIB,
    unit: "characters",
    documented: ["src/skill-tools-options.ts", "Defaults to 65,536."],
    source: ["src/result-budget.ts", "DEFAULT_CHARACTERS = 64 * 1024"],
    probe: async (value) => {
      const long = { "long.txt": "x".repeat(200 * KIB) };
      const input = { skill: "one", path: "long.txt", max_bytes: 200 * KIB };
      const read = (more: object) => callOne(long, more, "read")("skill_read", input);
      const answer = JSON.stringify((await read({ maxResultCharacters: undefined })).output);
      expect(answer.length).toBeLessThanOrEqual(value);
      expect((await read({ maxResultCharacters: value })).output).toEqual(JSON.parse(answer));
      expect((await read({ maxResultCharacters: 2 * value })).output).not.toEqual(JSON.parse(answer));
    },
  },
  {
    option: "`skill_list`: `limit`",
    kind: "default",
    value: 50,
    unit: "skills",
    documented: ["README.md", "`limit?` (50, at most 200), `offset?`"],
    source: ["src/skill/skill-list.ts", "DEFAULT_SKILLS = 50"],
    probe: async (value) => expect((await listed("skill_list", {}, 2 * value)).length).toBe(value),
  },
  {
    option: "`skill_list`: `limit`, most",
    kind: "limit",
    value: 200,
    unit: "skills",
    documented: ["README.md", "`limit?` (50, at most 200), `offset?`"],
    source: ["src/skill/skill-list.ts", "MAX_SKILLS = 200"],
    probe: async (value) => await isMost("skill_list", "limit", value, {}),
  },
  {
    option: "`skill_search`: `limit`",
    kind: "default",
    value: 10,
    unit: "skills",
    documented: ["README.md", "`limit?` (10, at most 50)"],
    source: ["src/skill/skill-search.ts", "DEFAULT_HITS = 10"],
    probe: async (value) =>
      expect((await listed("skill_search", { query: "things" }, 2 * value)).length).toBe(value),
  },
  {
    option: "`skill_search`: `limit`, most",
    kind: "limit",
    value: 50,
    unit: "skills",
    documented: ["README.md", "`limit?` (10, at most 50)"],
    source: ["src/skill/skill-search.ts", "MAX_HITS = 50"],
    probe: async (value) => await isMost("skill_search", "limit", value, { query: "things" }),
  },
  {
    option: "`skill_read`: `max_bytes`",
    kind: "default",
    value: 64 * KIB,
    unit: "bytes",
    documented: ["src/skill/skill-read.ts", "Text is returned 64 KiB at a time"],
    source: ["src/skill/skill-read.ts", "DEFAULT_BYTES = 64 * KIB"],
    probe: async (value) => {
      const { next_offset: next } = await output(
        "skill_read",
        { skill: "one", path: "long.txt" },
        { "long.txt": "x".repeat(2 * value) },
      );
      expect(next).toBe(value);
    },
  },
  {
    option: "`skill_read`: `max_bytes`, most",
    kind: "limit",
    value: 256 * KIB,
    unit: "bytes",
    documented: ["src/skill/skill-read.ts", "at most 256 KiB, cut at whole"],
    source: ["src/skill/skill-read.ts", "MAX_BYTES = 256 * KIB"],
    probe: async (value) =>
      await isMost("skill_read", "max_bytes", value, { skill: "one", path: "SKILL.md" }),
  },
  {
    option: "`skill_read`: files named in a refusal",
    kind: "limit",
    value: 200,
    unit: "files",
    documented: ["src/skill/resource-file.ts", "others sorted, at most 200"],
    source: ["src/skill/resource-file.ts", "MAX_NAMED = 200"],
    probe: async (value) => {
      const files = Object.fromEntries(Array.from({ length: 2 * value }, (_, n) => [`f${n}.txt`, "x"]));
      const refusal = await refused("skill_read", { skill: "one", path: "absent" }, files);
      expect(refusal.message.match(/f\d+\.txt|SKILL\.md/g)).toHaveLength(value);
    },
  },
  {
    option: "`skill_select_docs`: one document",
    kind: "limit",
    value: 64 * KIB,
    unit: "bytes",
    documented: ["README.md", "A document is shown up to 64 KiB"],
    source: ["src/skill/document-texts.ts", "MAX_DOCUMENT_BYTES = 64 * KIB"],
    probe: async (value) => {
      const shown = await documents({ "a.md": "x".repeat(value), "b.md": "y".repeat(2 * value) });
      expect([shown.match(/x{2,}/)?.[0].length, shown.match(/y{2,}/)?.[0].length]).toEqual([value, value]);
    },
  },
  {
    option: "`skill_select_docs`: one answer",
    kind: "limit",
    value: 256 * KIB,
    unit: "bytes",
    documented: ["README.md", "all documents of one answer up to 256 KiB"],
    source: ["src/skill/document-texts.ts", "MAX_ANSWER_BYTES = 256 * KIB"],
    probe: async (value) => {
      const names = Array.from({ length: 12 }, (_, n) => `d${n}.md`);
      const shown = await documents(Object.fromEntries(names.map((name) => [name, "z".repeat(50 * KIB)])));
      expect(shown.match(/z{2,}/g)?.join("").length).toBe(value);
    },
  },
  {
    option: "`storedApprovals`: questions of a conversation",
    kind: "limit",
    value: 100,
    unit: "questions",
    documented: ["README.md", "A conversation has at most 100 questions"],
    source: ["src/approvals/stored-approvals.ts", "MAX_QUESTIONS = 100"],
    probe: async (value) => {
      const approvals = storedApprovals();
      const question = (name: string, session = "one") =>
        approvals.ask({
          session: { app: "limits", user: "ada", session },
          ...{ action: "run", subject: name, reason: "It is not trusted.", callId: name },
        });
      for (let n = 0; n < value; n++) await question(String(n));
      await expect(question("more")).rejects.toMatchObject({ code: "LIMIT_EXCEEDED" });
      expect(await question("0")).toMatchObject({ choices: ["once"] });
      expect(await question("more", "another")).toMatchObject({ choices: ["once"] });
    },
  },
  {
    option: "`skillProposals`: waiting",
    kind: "limit",
    value: 100,
    unit: "proposals",
    documented: ["src/manage/skill-proposals.ts", "over the catalogue, at most 100"],
    source: ["src/manage/skill-proposals.ts", "MAX_WAITING = 100"],
    probe: async (value) => {
      const proposals = skillProposals(box({ one: { "SKILL.md": skillFile("one") } }));
      for (let n = 0; n < value; n++) await proposals.propose(update("references/a.md", String(n)));
      await expect(proposals.propose(update("references/a.md", "x"))).rejects.toMatchObject({
        code: "LIMIT_EXCEEDED",
      });
    },
  },
  {
    option: "`skill_manage`: SKILL.md",
    kind: "limit",
    value: 100_000,
    unit: "characters",
    documented: ["README.md", "SKILL.md (at most 100,000 characters)"],
    source: ["src/manage/support-file.ts", "MAX_SKILL_FILE_CHARACTERS = 100_000"],
    probe: async (value) =>
      await isMostProposed("SKILL.md", value, (length) => skillFile("one").padEnd(length, "x")),
  },
  {
    option: "`skill_manage`: another file",
    kind: "limit",
    value: MIB,
    unit: "bytes",
    documented: ["README.md", "`scripts/` and `assets/` (1 MiB each)"],
    source: ["src/manage/support-file.ts", "MAX_SUPPORT_BYTES = 1024 * 1024"],
    probe: async (value) => await isMostProposed("assets/a.txt", value, (length) => "x".repeat(length)),
  },
]);
