import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { secretMasking } from "../../src/adapter.js";
import { Secret, SkillError } from "../../src/index.js";

const KEY = "sk-test/1234567890+abcdef?x";
const masking = secretMasking({ API_KEY: new Secret(KEY), PLAIN: "not-secret-at-all" });

test("the value of a Secret is masked, that of another variable is not", () => {
  expect(masking.text(`${KEY} not-secret-at-all`)).toBe("*** not-secret-at-all");
  expect(secretMasking({ A: "plain" }).stream()).toBeUndefined();
});

test("SECR-02: base64 and percent-encoding are masked, at any position in the encoded text", () => {
  for (const before of ["", "x", "xy", "xyz"]) {
    const text = `${before}${KEY} and more`;
    for (const encoding of ["base64", "base64url"] as const) {
      const shown = masking.text(Buffer.from(text).toString(encoding));
      expect(shown).toContain("***");
      // At the ends, a character also encodes bits of the neighbours.
      const hidden = Buffer.from(KEY).toString("base64url").slice(3, -3);
      expect(shown).not.toContain(hidden);
      expect(shown.length).toBeLessThan(3 + Math.ceil(((before.length + 9) * 4) / 3) + 6);
    }
  }
  expect(masking.text(`https://host/?k=${encodeURIComponent(KEY)}`)).toBe("https://host/?k=***");
  expect(masking.text(`k=${new URLSearchParams({ k: KEY })}`)).toBe("k=k=***");
  const spaced = secretMasking({ A: new Secret("two words é") });
  expect(spaced.text("two%20words%20%C3%A9 two+words+%c3%a9 two%20words%20%c3%a9")).toBe(
    "*** two+words+%c3%a9 ***",
  );
});

test("SECR-02: other encodings are not masked, as documented", () => {
  const reversed = [...KEY].reverse().join("");
  expect(masking.text(reversed)).toBe(reversed);
});

test("each longer line of a value is a secret too, and surrounding white space is not part of it", () => {
  const pem = secretMasking({
    PEM: new Secret("-----BEGIN KEY-----\nMIIEvQIBADANBg\nshort\n-----END KEY-----\n"),
  });
  expect(pem.text("MIIEvQIBADANBg")).toBe("***");
  expect(pem.text("short")).toBe("short");
  expect(pem.text("-----BEGIN KEY-----\nMIIEvQIBADANBg\nshort\n-----END KEY-----")).toBe("***");
});

test("a value of fewer than 8 bytes or 16 bits is not masked, and a diagnostic names its variable but not its value", () => {
  const { diagnostics, stream, text } = secretMasking({
    PIN: new Secret("7q9"),
    EMPTY: new Secret(""),
    WORD: new Secret(" test\n"),
    SEVEN: new Secret("abcdefg"),
    EIGHT: new Secret("abcdefgh"),
    DIGITS: new Secret("1212121212"),
    API: new Secret(KEY),
  });
  expect(diagnostics.map(({ code, message }) => `${code} ${message.split(" ")[3]}`)).toEqual([
    "secret.too-short PIN",
    "secret.too-short EMPTY",
    "secret.too-short WORD",
    "secret.too-short SEVEN",
    "secret.too-plain DIGITS",
  ]);
  expect(JSON.stringify(diagnostics)).not.toMatch(/7q9|test|abcdefg|1212/);
  expect(stream()).toBeDefined();
  expect(text("the latest test of abcdefg, abcdefgh and 1212121212")).toBe(
    "the latest test of abcdefg, *** and 1212121212",
  );
});

const QUOTED = `pa"ss'w\\o$r\`d é/\t1`;
const quoted = secretMasking({ PASSWORD: new Secret(QUOTED) });

test.each([
  ["JSON", JSON.stringify({ password: QUOTED }), '{"password":"***"}'],
  ["JSON inside JSON", JSON.stringify(JSON.stringify([QUOTED])), '"[\\"***\\"]"'],
  ["JSON of Python", `"${JSON.stringify(QUOTED).slice(1, -1).replace("é", "\\u00e9")}"`, '"***"'],
])("a secret with quotes is masked in %s", (_, printed, expected) => {
  expect(quoted.text(printed)).toBe(expected);
});

const SHELL_FORMS = {
  "set -x": 'set -x; : "$S"',
  "declare -p": "declare -p S",
  "export -p": "export -p | grep -A1 S=",
  "printf %q": "printf '%q\\n' \"$S\"",
  set: "set | grep -A1 ^S=",
} as const;

/** dash supports neither. */
function isKnownTo(shell: string, form: string): boolean {
  return shell === "bash" || !["declare -p", "printf %q"].includes(form);
}

for (const shell of ["bash", "dash"].filter((name) => spawnSync(name, ["-c", ":"]).status === 0))
  for (const [name, command] of Object.entries(SHELL_FORMS).filter(([name]) => isKnownTo(shell, name)))
    for (const [kind, value] of Object.entries({
      quotes: `it's a "pass'word" $x \`y\` \\z`,
      lines: "first'line\nsecond\"line",
    }))
      test(`a secret with ${kind} is masked in what ${name} of ${shell} prints`, () => {
        const { stdout, stderr } = spawnSync(shell, ["-c", command], {
          env: { PATH: process.env["PATH"], S: value },
          encoding: "utf8",
        });
        const shown = secretMasking({ S: new Secret(value) }).text(stdout + stderr);
        expect(shown).not.toMatch(/pass|word|first|second/);
        expect(shown).toContain("***");
      });

test("SECR-03: errors and diagnostics are masked, and errors without a secret are unchanged", () => {
  const error = new SkillError("BACKEND_FAILED", `It said ${KEY}.`, {
    cause: new Error(KEY),
    details: { said: [KEY] },
  });
  const shown = masking.error(error) as SkillError;
  expect(shown).toMatchObject({
    code: "BACKEND_FAILED",
    message: "It said ***.",
    details: { said: ["***"] },
  });
  expect(shown.cause).toBeUndefined();
  const other = new SkillError("CLOSED", "It is closed.");
  expect(masking.error(other)).toBe(other);
  const diagnostic = { code: "a.b", severity: "info", message: `m ${KEY}`, hint: `h ${KEY}` } as const;
  expect(masking.diagnostic(diagnostic)).toEqual({ ...diagnostic, message: "m ***", hint: "h ***" });
});
