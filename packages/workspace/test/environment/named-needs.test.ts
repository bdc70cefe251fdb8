import { expect, test } from "vitest";
import { needsOf } from "./needs-of.js";

function header(lines: string): Record<string, string> {
  return { "SKILL.md": `---\nname: demo\ndescription: Names what it needs.\n${lines}\n---\nGo.\n` };
}

test("PKG-14: programs that `compatibility` names are needs that nothing installs", async () => {
  const line = "compatibility: Requires Python 3.10+, git and `exiftool`; go to the office for libreoffice.";
  const { needs, named } = await needsOf(header(line));
  expect(needs).toEqual([]);
  expect(named).toEqual(
    ["python3", "git", "soffice", "exiftool"].map((name) => ({
      kind: "program",
      name,
      declaredIn: "compatibility",
      programs: [name],
      remedy: `Install ${name} where commands run, such as in the image of the runtime.`,
    })),
  );
});

test("PKG-14: entries of OpenClaw's `install` are needs that nothing installs, each with its remedy", async () => {
  const install = [
    { id: "a", kind: "brew", formula: "jq", bins: ["jq"] },
    { id: "b", kind: "node", package: "@scope/tool", bins: ["tool"] },
    { id: "c", kind: "uv", package: "ruff" },
    { id: "d", kind: "go", module: "example.com/x/cmd/y" },
    { id: "e", kind: "download", url: "https://a.invalid/z.tgz?a=1&b=%20" },
    { id: "f", kind: "brew", formula: "x; rm -rf /" },
    { id: "i", kind: "brew", formula: "x&reboot" },
    { id: "g", kind: "other", package: "x" },
    "text",
    { id: "h", kind: "brew", formula: "jq", bins: ["jq"] },
  ];
  const metadata = JSON.stringify({ openclaw: { install } });
  const { named, diagnostics } = await needsOf(header(`compatibility: needs jq\nmetadata: ${metadata}`));
  const at = "metadata.openclaw.install";
  expect(named).toMatchObject(
    [
      { kind: "brew", name: "jq", declaredIn: at, programs: ["jq"], remedy: /brew install jq/ },
      { kind: "node", name: "@scope/tool", declaredIn: at, programs: ["tool"], remedy: /package-lock\.json/ },
      { kind: "uv", name: "ruff", declaredIn: at, programs: [], remedy: /uv lock/ },
      { kind: "go", name: "example.com/x/cmd/y", declaredIn: at, remedy: /go install/ },
      { kind: "download", name: "https://a.invalid/z.tgz?a=1&b=%20", declaredIn: at, remedy: /Download/ },
    ].map(({ remedy, ...one }) => ({ ...one, remedy: expect.stringMatching(remedy) })),
  );
  expect(diagnostics).toEqual([]);
});

test("PKG-14: a header that names nothing has no needs", async () => {
  expect((await needsOf(header("compatibility: Works everywhere, go ahead."))).named).toEqual([]);
});
