import { expect, test } from "vitest";
import { checkEnvironmentVariable, secretMasking, variableText } from "../../src/adapter.js";
import { Secret, SkillError } from "../../src/index.js";

function refusal(name: string, value = "x"): string | undefined {
  try {
    checkEnvironmentVariable(name, value);
    return undefined;
  } catch (error) {
    return SkillError.is(error, "INPUT_INVALID") ? error.message : String(error);
  }
}

test.each([
  "A",
  "_",
  "path",
  "PATH",
  "HOME",
  "API_TOKEN",
  "A1",
  "LDAP_HOST",
  "ENVIRONMENT",
  "NODE_ENV",
  "GIT_AUTHOR_NAME",
])("%s is accepted", (name) => {
  expect(refusal(name)).toBeUndefined();
});

test.each(["", "1A", "A-B", "A B", "A=B", "é", "A\n", "BASH_FUNC_ls%%"])(
  "ENV-04: %j is not a POSIX name",
  (name) => {
    expect(refusal(name)).toMatch(/its name must consist of/);
  },
);

test.each([
  "LD_PRELOAD",
  "LD_LIBRARY_PATH",
  "DYLD_INSERT_LIBRARIES",
  "GLIBC_TUNABLES",
  "BASH_ENV",
  "ENV",
  "PS4",
  "IFS",
  "NODE_OPTIONS",
  "PYTHONSTARTUP",
  "PYTHONPATH",
  "PERL5OPT",
  "RUBYOPT",
  "JAVA_TOOL_OPTIONS",
  "GIT_SSH_COMMAND",
  "OPENSSL_CONF",
])("ENV-06: %s steers the loader or an interpreter", (name) => {
  expect(refusal(name)).toMatch(/run other code/);
});

test("ENV-05: a value with NUL is refused, a newline in the value is kept", () => {
  expect(refusal("A", "1\0B=2")).toMatch(/NUL/);
  expect(refusal("A", "x\nLD_PRELOAD=/evil")).toBeUndefined();
});

test("the message names the variable, shortened, and never its value", () => {
  const message = refusal("x".repeat(500), "secret-value\0") ?? "";
  expect(message).not.toContain("secret-value");
  expect(message.length).toBeLessThan(300);
});

test.each([5, true, null, undefined, {}, [], { reveal: "x" }, { reveal: () => 5 }])(
  "ENV-23: a value that is neither text nor a Secret is refused with the name of its variable: %j",
  (value) => {
    const given = value as unknown as string;
    const refused = { code: "INPUT_INVALID", message: expect.stringContaining('"TOKEN"') };
    for (const use of [() => variableText("TOKEN", given), () => secretMasking({ TOKEN: given })]) {
      let error: unknown;
      try {
        use();
      } catch (caught) {
        error = caught;
      }
      expect(error).toMatchObject(refused);
    }
    expect(variableText("TOKEN", new Secret("s"))).toBe("s");
  },
);
