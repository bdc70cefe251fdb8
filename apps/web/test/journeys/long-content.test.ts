import { randomUUID } from "node:crypto";
import { memoryRecords, memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { describe, expect, test } from "vitest";
import { storedConversations } from "../../../../packages/server/src/conversations/stored-conversations.js";
import { hasAll } from "../../../../test/needs/has-all.js";
import { openPage, screenshot } from "../browser.js";
import { pageServer } from "../page-server.js";

const WIDTHS = [360, 768, 1440];
const LONG = "a_word_that_goes_on_and_";
const NAME = `${"a-skill-".repeat(8).slice(0, 63)}x`;
const DIGEST = `sha256:${"0123456789abcdef".repeat(4)}`;

/** The elements that can be scrolled sideways, without programs, tables and output, and what is too wide in each. */
const TOO_WIDE = `[...document.querySelectorAll("*")]
  .filter((one) => one.scrollWidth > one.clientWidth && /auto|scroll/.test(getComputedStyle(one).overflowX))
  .filter((one) => !one.closest("pre, [role=log] [role=log], .overflow-x-auto, :has(> table)"))
  .concat(document.documentElement.scrollWidth > innerWidth ? [document.documentElement] : [])
  .flatMap((box) => [box, ...[...box.querySelectorAll("*")].filter((one) => one.getBoundingClientRect().right > innerWidth)].slice(0, 5))
  .map((one) => one.cloneNode().outerHTML + Math.round(one.getBoundingClientRect().right))`;

if (hasAll("Chromium", "packages/web/dist/page"))
  describe("long names, long errors and 200 messages", () => {
    test.each(["light", "dark"] as const)(
      "WEB-57: nothing is wider than a screen of 360, 768 or 1,440 px (%s)",
      async (colorScheme) => {
        const app = `test-${randomUUID()}`;
        const records = memoryRecords();
        const { create, change } = storedConversations(records, app);
        await create("ada", "long", { agent: "assistant", title: LONG.repeat(5) });
        await change("ada", "long", () => ({ messages: { all: messages() } }));
        const { address } = await pageServer({ app, records, skills: longSkills() });
        const page = await openPage(address, { view: "c/long", context: { colorScheme } });
        await page.getByText("The last answer.").waitFor();
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 800 });
          for (const view of ["c/long", "skills", `skills/${NAME}`, "workspaces", "operator"]) {
            await page.goto(`${address}#/${view}`);
            await page.getByRole("heading", { level: 1 }).first().waitFor();
            await page.waitForLoadState("networkidle");
            expect([view, width, await page.evaluate(TOO_WIDE)]).toEqual([view, width, []]);
            const name = `40-long-${view.replace(NAME, "one").replace("/", "-")}-${width}-${colorScheme}`;
            await screenshot(page, name);
            if (view !== "c/long") continue;
            await page.getByRole("region", { name: /^Step/ }).scrollIntoViewIfNeeded();
            await screenshot(page, `${name}-step`);
          }
        }
      },
    );
  });

function longSkills() {
  const text = `---\nname: ${NAME}\ndescription: ${`${LONG} Use when a description is as long as it may be. `.repeat(10).slice(0, 1024)}\n---\n\n# ${LONG.repeat(3)}\n\n\`\`\`sh\n${"echo a line of code that goes on; ".repeat(8)}\n\`\`\`\n`;
  const skill = { "SKILL.md": text, [`references/${LONG.repeat(5)}.md`]: "# A document\n" };
  const broken = { "SKILL.md": `---\nname: ${LONG}\n---\n` };
  return skillBox({ [NAME]: memoryRepository({ skills: { [NAME]: skill, broken } }) });
}

function messages() {
  const plain = Array.from({ length: 196 }, (_, at) =>
    message(at, [text(`Message ${at}: ${"some words ".repeat(at % 40)}`)]),
  );
  const path = `/${LONG.repeat(20)}`;
  return [
    ...plain,
    message(196, [
      { type: "data-upload", data: { path: `work/inputs/${LONG.repeat(5)}.csv`, size: 123_456_789_012 } },
      text(LONG.repeat(10)),
    ]),
    message(197, [
      { type: "step-start" },
      {
        ...{ type: "dynamic-tool", toolCallId: "one", toolName: "skill_run", state: "output-error" },
        ...{ input: { skill: NAME, command: `cat ${path} ${"--option value ".repeat(30)}` } },
        errorText: `The file ${path} does not exist. ${"Check it. ".repeat(40)}`,
      },
      {
        type: "data-run",
        data: {
          ...{ callId: "one", state: "ended", command: `cat ${path} ${"--option value ".repeat(30)}` },
          ...{ skill: NAME, digest: DIGEST, isolation: `namespace (bubblewrap 0.8.0, ${LONG})`, exitCode: 1 },
          ...{ durationMs: 3_723_456, peakMemoryBytes: 123_456_789_012, output: "/none" },
          limits: {
            memoryBytes: 2e11,
            diskBytes: 2e11,
            inodes: 1e9,
            processes: 1e6,
            openFiles: 1e6,
            cpu: 0.25,
          },
        },
      },
      {
        type: "data-diagnostic",
        data: {
          code: `limit.${LONG}`,
          severity: "warning",
          message: `At ${path}.`,
          hint: "Wait. ".repeat(50),
        },
      },
      {
        type: "data-artifact",
        data: {
          ...{ name: `out/${LONG.repeat(4)}.md`, version: 1234, size: 1, mimeType: "text/markdown" },
          ...{ sha256: DIGEST.slice(7), createdAt: "2026-01-01T00:00:00.000Z", content: "/none" },
        },
      },
      text(
        `| ${"column | ".repeat(14)}\n| ${"--- | ".repeat(14)}\n| ${`${LONG} | `.repeat(14)}\n\n${"# "}${LONG.repeat(3)}`,
      ),
      text(
        `\`\`\`\n${LONG.repeat(12)}\n\`\`\`\n\n\`${LONG.repeat(6)}\`\n\nhttps://example.com/${LONG.repeat(6)}`,
      ),
    ]),
    message(198, [text("Go on")]),
    message(199, [
      text("The last answer."),
      {
        type: "data-diagnostic",
        data: {
          code: "turn.failed",
          severity: "error",
          message: `No answer from ${path}.`,
          hint: "Try again.",
        },
      },
    ]),
  ];
}

function text(value: string) {
  return { type: "text", text: value };
}

function message(at: number, parts: readonly object[]) {
  return { id: `m${at}`, role: at % 2 === 0 ? ("user" as const) : ("assistant" as const), parts } as never;
}
