import { describe, expect, test } from "vitest";
import { listedSources } from "../src/sources/listed-sources.js";

describe("a list of sources separated as in PATH", () => {
  test.each([
    ["", []],
    [":a::/b c: :", ["a", "/b c"]],
    ["https://example.com/skills/", ["https://example.com/skills/"]],
    ["team:https://example.com:8443/x.zip:/opt/y", ["team", "https://example.com:8443/x.zip", "/opt/y"]],
    ["https://a.example:https://b.example:9", ["https://a.example", "https://b.example:9"]],
    ["https://u:p:w@a.example:80?q=1:b", ["https://u:p:w@a.example:80?q=1", "b"]],
    ["http://[::1]:8080/s/:b", ["http://[::1]:8080/s/", "b"]],
    ["https://a.example:/b", ["https://a.example", "/b"]],
    ["git+https://a.example/x.git#v1:skills/a:/b", ["git+https://a.example/x.git#v1:skills/a", "/b"]],
    ["git+https://a.example/x.git#:skills:b", ["git+https://a.example/x.git#:skills", "b"]],
    ["git+https://a.example/x.git#v1:/b", ["git+https://a.example/x.git#v1", "/b"]],
    ["git+ssh://git@a.example/x#v1:s3://bucket/p:b", ["git+ssh://git@a.example/x#v1", "s3://bucket/p", "b"]],
    ["/a:sqlite:/srv/x.sqlite#team:/b", ["/a", "sqlite:/srv/x.sqlite#team", "/b"]],
    ["/a:mcp+stdio:npx -y x%3Ay:/b", ["/a", "mcp+stdio:npx -y x%3Ay", "/b"]],
    ["mcp+https://a.example:8443/mcp:/b", ["mcp+https://a.example:8443/mcp", "/b"]],
    ["postgres://u:p@db:5432/s#team:/b", ["postgres://u:p@db:5432/s#team", "/b"]],
  ])("%j has the entries %j (LIST-30)", (list, expected) => {
    expect(listedSources(list, ":")).toEqual(expected);
  });

  test("is split at every separator where that is no colon (LIST-30)", () => {
    expect(listedSources(String.raw`C:\skills; https://a.example/x:y`, ";")).toEqual([
      String.raw`C:\skills`,
      "https://a.example/x:y",
    ]);
  });
});
