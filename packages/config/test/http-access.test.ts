import { describe, expect, test } from "vitest";
import { httpAccess } from "../src/clients/http-access.js";

const NAMED = "https://skills.example http://10.0.0.7:8080/";

describe("what the environment permits for an address", () => {
  test.each([
    [undefined, "https://skills.example/team/", false, false],
    [NAMED, "https://skills.example/team/", true, false],
    [NAMED, "http://10.0.0.7:8080/x.tar.gz", true, true],
    [NAMED, "http://skills.example/", false, false],
    [NAMED, "https://skills.example.org/", false, false],
    [NAMED, "no address", false, false],
  ])("%j at %s: private %s, unencrypted %s", (origins, url, allowPrivate, allowHttp) => {
    const access = httpAccess({ SKILLWRIGHT_PRIVATE_ORIGINS: origins }, url);
    expect(access).toMatchObject({ allowPrivate, allowHttp });
    expect(access.headers).toBeUndefined();
    expect(access.remedy).toContain("SKILLWRIGHT_PRIVATE_ORIGINS");
  });

  test("a token belongs to one origin and is sent to no other", () => {
    const env = { SKILLWRIGHT_TOKENS: "https://a.example=one https://b.example:8443=two=2" };
    const token = (url: string) => httpAccess(env, url).headers?.authorization.reveal();
    expect(token("https://a.example/x")).toBe("Bearer one");
    expect(token("https://b.example:8443/")).toBe("Bearer two=2");
    for (const url of ["http://a.example/", "https://b.example/", "https://a.example.org/"])
      expect(token(url)).toBeUndefined();
  });

  test.each([
    [{ SKILLWRIGHT_TOKENS: "geheim" }, /SKILLWRIGHT_TOKENS/],
    [{ SKILLWRIGHT_TOKENS: "https://a.example/path=geheim" }, /SKILLWRIGHT_TOKENS/],
    [{ SKILLWRIGHT_PRIVATE_ORIGINS: "geheim.example" }, /SKILLWRIGHT_PRIVATE_ORIGINS/],
  ])("%j is an error that shows no value", (env, names) => {
    const attempt = () => httpAccess(env, "https://a.example/");
    expect(attempt).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
    expect(attempt).toThrow(names);
    expect(attempt).not.toThrow(/geheim/);
  });
});
