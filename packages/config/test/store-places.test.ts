import { SkillError } from "@skillwright/core";
import { describe, expect, test } from "vitest";
import { openArtifacts, openRecords, sourceClients } from "../src/index.js";

describe("the error for an address that cannot be a store of", () => {
  test.each([
    ["https://example.com", "."],
    ["ftp://example.com", ": it has an unknown scheme."],
    ["sqlite:", ": it has no path after sqlite:."],
    ["postgres://ada:ge/heim@host/db", ": it is no valid address; write special characters"],
    ["localhost:6379", "."],
  ])("records names the place and what to give: %s", async (place, because) => {
    const error = await openRecords(place).catch((error: unknown) => error);
    expect(String(error)).toContain("Records cannot be kept at ");
    expect(String(error)).toContain(`"${because}`);
    expect(String(error)).toContain(
      "Give a folder, sqlite:path, redis://host:6379 or postgres://host/database.",
    );
    expect(SkillError.is(error, "CONFIG_INVALID")).toBe(true);
    expect(String(error)).not.toMatch(/source of skills|heim/);
  });

  test.each([
    ["https://example.com", "."],
    ["s3://B", ": it has no valid bucket name"],
  ])("artifacts names the place and what to give: %s", async (place, because) => {
    const opening = openArtifacts(place, { cwd: "/", clients: sourceClients({}) });
    const error = await opening.catch((error: unknown) => error);
    expect(String(error)).toContain(`Artifacts cannot be kept at "${place}"${because}`);
    expect(String(error)).toContain(
      "Give a folder, s3://bucket/prefix, sqlite:path or postgres://host/database.",
    );
  });
});
