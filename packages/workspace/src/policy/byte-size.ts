import { SkillError } from "@skillwright/core";

const UNITS: Readonly<Record<string, number>> = {
  B: 1,
  KB: 1000,
  MB: 1000 ** 2,
  GB: 1000 ** 3,
  TB: 1000 ** 4,
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
  TiB: 1024 ** 4,
};

/**
 * Parses `500KB`, `1.5GiB`, or a number of bytes.
 * @throws SkillError `CONFIG_INVALID` for anything else and for less than 0.
 */
export function byteSize(size: string | number): number {
  const match = /^(\d+(?:\.\d+)?) ?([KMGT]?i?B)$/.exec(String(size).trim());
  const bytes =
    typeof size === "number" ? size : Number(match?.[1]) * (UNITS[match?.[2] ?? ""] ?? Number.NaN);
  if (Number.isFinite(bytes) && bytes >= 0) return bytes;
  throw new SkillError(
    "CONFIG_INVALID",
    `${JSON.stringify(size)} is not a size. Write a number and a unit, such as "500MB" or "2GiB".`,
  );
}
