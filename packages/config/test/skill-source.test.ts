import { SkillError } from "@skillwright/core";
import { expect, test } from "vitest";
import { absoluteSource } from "../src/sources/absolute-source.js";
import { skillSource, withoutCredentials } from "../src/sources/skill-source.js";

test.each([
  ["./skills", { kind: "folder", path: "./skills" }],
  ["/srv/skills", { kind: "folder", path: "/srv/skills" }],
  ["../one.skill", { kind: "archive", path: "../one.skill" }],
  ["/srv/Team.ZIP", { kind: "archive", path: "/srv/Team.ZIP" }],
  ["a/team.tar.gz", { kind: "archive", path: "a/team.tar.gz" }],
  ["a/team.tar.gz/", { kind: "folder", path: "a/team.tar.gz/" }],
  ["C:\\skills", { kind: "folder", path: "C:\\skills" }],
  ["s3://team-skills", { kind: "s3", bucket: "team-skills", prefix: "" }],
  ["s3://team-skills//released/v2/", { kind: "s3", bucket: "team-skills", prefix: "released/v2" }],
  ["oss://team-skills/released", { kind: "s3", bucket: "team-skills", prefix: "released" }],
  ["git+https://example.com/a/b", { kind: "git", url: "https://example.com/a/b" }],
  ["git+https://example.com/a/b#v2", { kind: "git", url: "https://example.com/a/b", ref: "v2" }],
  [
    "git+ssh://git@example.com/a#v2:in/it",
    { kind: "git", url: "ssh://git@example.com/a", ref: "v2", path: "in/it" },
  ],
  ["https://example.com/a.git#:skills", { kind: "git", url: "https://example.com/a.git", path: "skills" }],
  ["git@example.com:a/b.git#main", { kind: "git", url: "git@example.com:a/b.git", ref: "main" }],
  ["git+file:///srv/a", { kind: "git", url: "file:///srv/a" }],
  ["registry+https://example.com/team/", { kind: "registry", url: "https://example.com/team/" }],
  ["mcp+stdio:npx -y  @acme/skills", { kind: "mcp", command: ["npx", "-y", "@acme/skills"] }],
  ["MCP+STDIO: ./a%20b --x=50%25", { kind: "mcp", command: ["./a b", "--x=50%"] }],
  ["mcp+https://example.com/mcp", { kind: "mcp", url: "https://example.com/mcp" }],
  ["mcp+http://127.0.0.1:8788/mcp", { kind: "mcp", url: "http://127.0.0.1:8788/mcp" }],
  ["https://example.com/pdf.skill", { kind: "http", url: "https://example.com/pdf.skill" }],
  ["sqlite:data/skills.sqlite", { kind: "sqlite", path: "data/skills.sqlite" }],
  ["sqlite:/srv/a#b/x.sqlite#team-1.b", { kind: "sqlite", path: "/srv/a#b/x.sqlite", name: "team-1.b" }],
  ["postgres://ada@db:5433/skills", { kind: "postgres", url: "postgres://ada@db:5433/skills" }],
  [
    "postgresql://ada:s%2Fx@db/skills?sslmode=require#team",
    { kind: "postgres", url: "postgresql://ada:s%2Fx@db/skills?sslmode=require", name: "team" },
  ],
])("%s", (text, source) => {
  expect(skillSource(text)).toEqual(source);
});

test.each([
  "",
  "  ",
  "s3://",
  "s3://AB",
  "s3://a/../b?x",
  "ftp://example.com/a",
  "npm://x",
  "sqlite:",
  "sqlite://x",
  "mcp+stdio:",
  "mcp+stdio:node 50%",
  "mcp+ws://x",
])("%j is refused with the accepted forms", (text) => {
  const read = (): unknown => skillSource(text);
  if (text === "s3://a/../b?x") expect(read).toThrow(/has no valid bucket name/);
  expect(read).toThrow(/Give a folder, s3:\/\/bucket\/prefix/);
  try {
    read();
  } catch (error) {
    expect(SkillError.is(error, "CONFIG_INVALID")).toBe(true);
  }
});

test.each(["geheim/1", "1/geheim", "ge?heim", "ge#heim"])(
  "a database whose password is %j is refused, and the password is not shown (STORE-25)",
  (password) => {
    const text = `postgres://ada:${password}@db:5432/skills`;
    expect(() => skillSource(text)).toThrow(/^(?!.*heim).*as %XX/);
    expect(withoutCredentials(text)).toBe("postgres://db:5432/skills");
  },
);

test("a shown address contains no user, password or query", () => {
  expect(withoutCredentials("redis://ada:geheim@host:6379/0")).toBe("redis://host:6379/0");
  expect(withoutCredentials("postgres://db/skills?password=geheim#team")).toBe("postgres://db/skills#team");
  expect(withoutCredentials("https://token@host/a.zip?signature=geheim#x")).toBe("https://host/a.zip#x");
});

test("a shown command has its program alone, and another mark for other arguments (MCP-24)", () => {
  const [one, other] = ["mcp+stdio:npx --token geheim", "mcp+stdio:npx --token geheimer"].map(
    withoutCredentials,
  );
  expect(one).toMatch(/^mcp\+stdio:npx #[0-9a-f]{8}$/);
  expect(other).not.toBe(one);
  for (const path of ["./x?/pub", "/srv/a?b"]) expect(withoutCredentials(path)).toBe(path);
  expect(withoutCredentials("mcp+stdio:server")).toBe("mcp+stdio:server");
  expect(withoutCredentials("mcp+https://a:geheim@example.com/mcp?key=geheim")).toBe(
    "mcp+https://example.com/mcp",
  );
});

test("a command keeps its words and gets absolute paths (MCP-24)", () => {
  const text = absoluteSource("mcp+stdio:./serve%20it.mjs ../x 50%25 /a%20b --from=./c", "/srv/team");
  expect(text).toBe("mcp+stdio:/srv/team/serve%20it.mjs /srv/x 50%25 /a%20b --from=./c");
  expect(skillSource(text)).toEqual({
    kind: "mcp",
    command: ["/srv/team/serve it.mjs", "/srv/x", "50%", "/a b", "--from=./c"],
  });
});
