import { expect, test } from "vitest";
import { outputLog, Secret, SkillError, secretMasking } from "../../src/index.js";

const KEY = "sk-test/1234567890+abcdef?x";
const masking = secretMasking({ API_KEY: new Secret(KEY), PLAIN: "not-secret-at-all" });

test("the value of a Secret is masked, that of another variable is not", () => {
  expect(masking.text(`${KEY} not-secret-at-all`)).toBe("*** not-secret-at-all");
  expect(secretMasking({ A: "plain" }).stream()).toBeUndefined();
});

test("SECR-04: base64 and percent-encoding are covered, wherever the value stands in what is encoded", () => {
  for (const before of ["", "x", "xy", "xyz"]) {
    const text = `${before}${KEY} and more`;
    for (const encoding of ["base64", "base64url"] as const) {
      const shown = masking.text(Buffer.from(text).toString(encoding));
      expect(shown).toContain("***");
      // At its ends a character belongs to the neighbours too.
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

test("SECR-04: other encodings are not covered, as the documentation says", () => {
  const reversed = [...KEY].reverse().join("");
  expect(masking.text(reversed)).toBe(reversed);
});

test("of a value of several lines each longer one is a secret too, and white space around it is none", () => {
  const pem = secretMasking({
    PEM: new Secret("-----BEGIN KEY-----\nMIIEvQIBADANBg\nshort\n-----END KEY-----\n"),
  });
  expect(pem.text("MIIEvQIBADANBg")).toBe("***");
  expect(pem.text("short")).toBe("short");
  expect(pem.text("-----BEGIN KEY-----\nMIIEvQIBADANBg\nshort\n-----END KEY-----")).toBe("***");
});

test("a value of fewer than 4 bytes is not masked, and a diagnostic names its variable and not its value", () => {
  const { diagnostics, stream } = secretMasking({
    PIN: new Secret("7q9"),
    EMPTY: new Secret(""),
    API: new Secret(KEY),
  });
  expect(diagnostics.map(({ code }) => code)).toEqual(["secret.too-short", "secret.too-short"]);
  expect(diagnostics[0]?.message).toContain("PIN");
  expect(JSON.stringify(diagnostics)).not.toContain("7q9");
  expect(stream()).toBeDefined();
});

test("SECR-06: errors and diagnostics are masked, and errors without a secret are as they were", () => {
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

test("SECR-02: what is kept, counted and heard of both streams is masked, and the offsets agree", async () => {
  const log = outputLog(100, masking);
  log.append("stdout", Buffer.from(`a ${KEY.slice(0, 9)}`));
  log.append("stderr", Buffer.from(`b ${KEY.slice(0, 5)}`));
  log.append("stdout", Buffer.from(`${KEY.slice(9)} !`));
  log.append("stderr", Buffer.from(KEY.slice(5)));
  log.append("stdout", Buffer.from("sk-tes"));
  log.end();
  log.end();
  expect(log.captured("stdout")).toEqual({ text: "a *** !sk-tes", totalBytes: 13, truncated: false });
  expect(log.captured("stderr")).toEqual({ text: "b ***", totalBytes: 5, truncated: false });
  let heard = "";
  for await (const { offset, bytes } of log.read()) {
    expect(offset).toBe(heard.length);
    heard += Buffer.from(bytes);
  }
  expect(heard).toBe("a b *** !***sk-tes");
});

test("SECR-02: a secret at the cut of head and tail is masked before it is cut", () => {
  const log = outputLog(40, masking);
  log.append("stdout", Buffer.from(`${"x".repeat(18)}${KEY}${"y".repeat(100)}`));
  log.end();
  const { text } = log.captured("stdout");
  expect(text).not.toContain("sk-");
  expect(text).toMatch(/^x{18}\*\*\n/);
});
