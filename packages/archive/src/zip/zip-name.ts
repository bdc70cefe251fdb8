import { isUtf8 } from "node:buffer";
import type { Diagnostic } from "@skillwright/core";
import { type Entry, type ExtraField, getFileNameLowLevel, parseExtraFields } from "yauzl";
import { damaged, shown } from "../damaged.js";

const UTF8_FLAG = 0x800;

interface NameFields {
  readonly flags: number;
  readonly raw: Buffer;
  readonly extraFields: ExtraField[];
}

/**
 * The name of an entry as text. Without the flag for UTF-8 the format specifies code page 437, but several packers
 * write UTF-8 anyway: bytes that are valid UTF-8 are decoded as such, and both guesses are reported.
 * @throws SkillError `SKILL_INVALID` for a name whose two forms differ.
 */
export function zipName(header: Entry): {
  readonly name: string;
  readonly diagnostics: readonly Diagnostic[];
} {
  const { fileNameRaw: raw, generalPurposeBitFlag: flags, extraFields } = header;
  const name = decodedName({ flags, raw, extraFields });
  const written = decodedName({ flags, raw, extraFields: [] });
  if (name !== written && !isSameName(raw, name))
    throw damaged(`The entry ${shown(written)} has a second name, ${shown(name)}`);
  if ((flags & UTF8_FLAG) !== 0 && !isUtf8(raw))
    throw damaged(`The entry ${shown(name)} has a name that is marked as UTF-8 but is not UTF-8`);
  const guessed = !isAscii(raw) && (flags & UTF8_FLAG) === 0 && !hasUnicodePath({ flags, raw, extraFields });
  return { name, diagnostics: guessed ? [guess(name, isUtf8(raw))] : [] };
}

/** The name in a local header, decoded like the central one. */
export function localName(flags: number, raw: Buffer, extra: Buffer): string {
  return decodedName({ flags, raw, extraFields: localExtraFields(raw, extra) });
}

/** @param raw The name in that header. */
export function localExtraFields(raw: Buffer, extra: Buffer): ExtraField[] {
  try {
    return parseExtraFields(extra);
  } catch (error) {
    throw damaged(`The local header of ${shown(raw.toString())} has broken extra fields`, error);
  }
}

function decodedName({ flags, raw, extraFields }: NameFields): string {
  const assumed = isUtf8(raw) ? flags | UTF8_FLAG : flags;
  return getFileNameLowLevel(assumed, raw, extraFields, true);
}

/** True where Info-ZIP's extra field gives the name: the encoding of the header's bytes is then irrelevant. */
function hasUnicodePath({ flags, raw, extraFields }: NameFields): boolean {
  const readings = [flags | UTF8_FLAG, flags & ~UTF8_FLAG];
  const [one, other] = readings.map((reading) => getFileNameLowLevel(reading, raw, extraFields, true));
  return one === other;
}

/**
 * True where the extra field's name differs only in letters that the plain one could not represent, so that no reader
 * sees another folder or a SKILL.md that others do not. Info-ZIP escapes such letters, others write `?` or `_`.
 */
function isSameName(raw: Buffer, name: string): boolean {
  return plainParts(raw.toString("latin1")) === plainParts(name.normalize("NFC"));
}

function plainParts(name: string): string {
  return name.replace(/(?:[^\0-\x7f]|[?_]|#U[0-9a-f]{4}|#L[0-9a-f]{6})+/g, "?");
}

function isAscii(bytes: Buffer): boolean {
  return bytes.every((byte) => byte < 0x80);
}

function guess(name: string, utf8: boolean): Diagnostic {
  return {
    code: "archive.name-encoding",
    severity: "info",
    message: `The archive does not say how "${name}" is encoded; it is read as ${utf8 ? "UTF-8" : "code page 437"}.`,
    hint: "Check the name. A program that marks names as UTF-8 avoids this guess.",
    path: name,
  };
}
