import { expect, test } from "vitest";
import { cliFixture } from "./cli-fixture.js";

const hinting = (...tools: readonly string[]) =>
  `---\nname: hinting\ndescription: Hints.\ntoolHints: ${JSON.stringify(tools)}\n---\n`;

test("doctor knows the tools of every preset, and no similar names", async () => {
  const known = [
    ...["skill_list", "skill_load", "skill_list_docs", "skill_select_docs", "skill_run", "skill_activate"],
    ...[
      "skill_read",
      "skill_search",
      "skill_manage",
      "skill_call",
      "skill_start",
      "skill_stop",
      "skill_write",
    ],
    ...["workspace_read", "workspace_write", "workspace_list", "workspace_run"],
  ];
  expect(await toldOf(hinting(...known, "sh"))).toBe("");
  expect(await toldOf(hinting("skill_fly", "workspace_delete", "skill_run"))).toContain(
    'mentions "skill_fly", "workspace_delete", which',
  );
});

test("doctor knows the tools of other clients that have an equivalent here", async () => {
  expect(await toldOf(hinting("Read", "Write", "Bash", "read_file", "list_dir", "Bash(git log:*)"))).toBe("");
});

test("doctor knows the tools that the configuration names", async () => {
  const tools = { "home/.skillwright/skillwright.config.json": JSON.stringify({ tools: ["browser_open"] }) };
  expect(await toldOf(hinting("browser_open"), tools)).toBe("");
  expect(await toldOf(hinting("browser_close"), tools)).toMatch(/"browser_close"[\s\S]*`tools`/);
});

async function toldOf(text: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const { cli } = await cliFixture({ "home/.agents/skills/hinting/SKILL.md": text, ...more });
  const { places } = JSON.parse((await cli(["doctor", "--json"])).out) as {
    readonly places: readonly { readonly check: string; readonly message: string; readonly remedy: string }[];
  };
  return places
    .filter(({ check }) => check === "tools")
    .map(({ message, remedy }) => `${message} ${remedy}`)
    .join("\n");
}
