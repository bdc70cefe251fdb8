import { Secret } from "@skillwright/core";
import { describe, expect, test } from "vitest";
import { type SkillSettings, skillVariables } from "../../src/index.js";
import { host, judged } from "./judged.js";

const declaring = judged({
  primaryEnv: "API_KEY",
  requires: { env: ["REGION"], anyEnv: ["A_TOKEN", "B_TOKEN"] },
});

describe("the variables of a skill's runs", () => {
  test("come from its own settings, by its key, and from no other skill's", () => {
    const settings = { skills: { a: { env: { REGION: "eu" } }, b: { env: { REGION: "us", OTHER: "1" } } } };
    expect(texts(declaring, settings)).toEqual({ REGION: "eu" });
    expect(texts({ ...declaring, name: "b" }, settings)).toEqual({ REGION: "us", OTHER: "1" });
    expect(texts({ ...declaring, name: "toString" }, settings)).toEqual({});
  });

  test("ELIG-05: apiKey becomes the primary variable, as a secret", () => {
    const { variables } = skillVariables(declaring, { skills: { a: { apiKey: "k" } } }, host());
    expect(JSON.stringify(variables)).toBe('{"API_KEY":"***"}');
    expect(texts(declaring, { skills: { a: { apiKey: "k" } } })).toEqual({ API_KEY: "k" });
  });

  test("ENV-18: the host's value is not overridden, where it is passed and declared", () => {
    const settings = { passVariables: ["REGION", "OTHER"], skills: { a: { env: { REGION: "eu" } } } };
    const facts = host({ variables: { REGION: "host", OTHER: "host" } });
    expect(texts(declaring, settings, facts)).toEqual({ REGION: "host" });
    expect(texts(declaring, { skills: settings.skills }, facts)).toEqual({ REGION: "eu" });
  });

  test.each(["OPENSSL_CONF", "LD_PRELOAD", "PATH", "NODE_OPTIONS", "BASH_ENV", "not a name"])(
    "ENV-19: %s is blocked, with a warning",
    (name) => {
      const settings = { skills: { a: { env: { [name]: "x" } } } };
      expect(texts(declaring, settings)).toEqual({});
      expect(codes(declaring, settings)).toEqual(["variable.blocked"]);
    },
  );

  test("ENV-20: a variable that looks like a secret and is not declared is blocked", () => {
    const settings = { skills: { a: { env: { AWS_SECRET_ACCESS_KEY: "x", PLAIN: "y" } } } };
    expect(texts(declaring, settings)).toEqual({ PLAIN: "y" });
    expect(codes(declaring, settings)).toEqual(["variable.undeclared"]);
  });

  test("ENV-21: a variable declared as one of several is passed", () => {
    expect(texts(declaring, { skills: { a: { env: { B_TOKEN: "t" } } } })).toEqual({ B_TOKEN: "t" });
  });

  test("ENV-22: a NUL in the value is blocked, also in a secret, and so is a blank value", () => {
    const env = { REGION: "a\0b", A_TOKEN: new Secret("a\0b"), B_TOKEN: " " };
    expect(texts(declaring, { skills: { a: { env } } })).toEqual({});
    expect(codes(declaring, { skills: { a: { env } } })).toEqual(Array(3).fill("variable.blocked"));
  });

  test("configuration values are passed as JSON", () => {
    expect(texts(declaring, { skills: { a: { config: { team: ["x"] } } } })).toEqual({
      SKILL_CONFIG: '{"team":["x"]}',
    });
  });

  test("an untrusted skill gets nothing, whatever its name, and the diagnostic does not contain the values", () => {
    const stranger = { ...declaring, trusted: false };
    const settings = { passVariables: ["REGION"], skills: { a: { apiKey: "sesame" } } };
    const facts = host({ variables: { REGION: "eu" } });
    const { variables, diagnostics } = skillVariables(stranger, settings, facts);
    expect(variables).toEqual({});
    expect(diagnostics).toMatchObject([{ code: "variable.untrusted" }]);
    expect(JSON.stringify(diagnostics)).toContain("API_KEY");
    expect(JSON.stringify(diagnostics)).not.toContain("sesame");
    expect(skillVariables(stranger, {}, facts).diagnostics).toEqual([]);
  });
});

function texts(skill: typeof declaring, settings: SkillSettings, facts = host()): Record<string, string> {
  const { variables } = skillVariables(skill, settings, facts);
  const revealed = Object.entries(variables).map(([name, value]) => [
    name,
    typeof value === "string" ? value : value.reveal(),
  ]);
  return Object.fromEntries(revealed);
}

function codes(skill: typeof declaring, settings: SkillSettings): string[] {
  return skillVariables(skill, settings, host()).diagnostics.map(({ code }) => code);
}
