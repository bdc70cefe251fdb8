import { isUtf8 } from "node:buffer";
import { damaged, shown } from "../damaged.js";
import type { TarBlock } from "./tar-block.js";

/** Fields that change how an entry is found or read; all other pax fields are times, owners and attributes. */
const MEANINGFUL = /^(?:path|linkpath|size|hdrcharset|GNU\..*)$/;
const LINKS = new Set(["1", "2"]);
/** Links, devices and pipes. */
const WITHOUT_CONTENT = new Set([...LINKS, "3", "4", "6"]);
const UTF8_CHARSET = "ISO-IR 10646 2000 UTF-8";

/** The headers before an entry, for example with its long name. */
export interface ExtendedHeaders {
  readonly empty: boolean;
  add(type: string, body: Buffer): void;
  /** @throws SkillError `SKILL_INVALID` where readers would interpret the entry differently. */
  check(entry: TarBlock, size: number): void;
}

export function extendedHeaders(): ExtendedHeaders {
  const records: PaxRecord[] = [];
  const headers: string[] = [];

  function add(type: string, body: Buffer): void {
    const found =
      type === "x" || type === "g"
        ? meaningfulRecords(body)
        : [longText(type === "K" ? "linkpath" : "path", body)];
    if (type === "g") {
      const [first] = found;
      if (first) throw damaged(`A header for all entries of the tar sets ${shown(first.key)}`);
      return;
    }
    headers.push(type);
    records.push(...found);
  }

  function check({ type, name }: TarBlock, size: number): void {
    const names = records.filter(({ key }) => key === "path").map(({ value }) => value);
    const own = names[0] ?? name;
    const entry = `The entry ${shown(own.toString())}`;
    const isLink = LINKS.has(type);
    const naming = isLink ? headers.filter((header) => header !== "K") : headers;
    if (!isUtf8(own)) throw damaged(`${entry} has a name that is not UTF-8`);
    if (naming.length > 1 || names.length > 1) throw damaged(`${entry} has more than one extended header`);
    if (naming.some((header) => header !== "x" && header !== "L"))
      throw damaged(`${entry} has the header of a link or of an old format`);
    for (const record of records) if (!isLink || record.key !== "linkpath") checkRecord(record, entry, size);
    if (size > 0 && (type === "5" || name.at(-1) === 0x2f))
      throw damaged(`${entry} is a folder with content`);
    if (size > 0 && WITHOUT_CONTENT.has(type))
      throw damaged(`${entry} is a link or special file with content`);
    if (type !== "0" && type !== "5" && !WITHOUT_CONTENT.has(type))
      throw damaged(`${entry} is of an unknown type`);
  }

  return {
    get empty() {
      return headers.length === 0;
    },
    add,
    check,
  };
}

function meaningfulRecords(body: Buffer): PaxRecord[] {
  const records = paxRecords(body);
  if (!records) throw damaged("A pax header of the tar has records whose lengths do not match");
  return records.filter(({ key }) => MEANINGFUL.test(key));
}

/** GNU's own form, terminated by a NUL. */
function longText(key: string, body: Buffer): PaxRecord {
  const end = body.indexOf(0);
  return { key, value: end === -1 ? body : body.subarray(0, end) };
}

function checkRecord({ key, value }: PaxRecord, entry: string, size: number): void {
  const text = value.toString();
  if (key === "path" && text === "") throw damaged(`${entry} has an empty name`);
  if (key === "size" && text !== String(size))
    throw damaged(`${entry} declares two sizes, ${size} and ${text}`);
  if (key === "linkpath") throw damaged(`${entry} has a link target`);
  if (key.startsWith("GNU."))
    throw damaged(`${entry} is a sparse file, which is not supported; pack a regular file`);
  if (key === "hdrcharset" && text !== UTF8_CHARSET) throw damaged(`${entry} has a name that is not UTF-8`);
}

interface PaxRecord {
  readonly key: string;
  readonly value: Buffer;
}

/**
 * Parses the records of a pax header, each `length key=value` and a line end; `undefined` where they are inconsistent.
 */
function paxRecords(body: Buffer): readonly PaxRecord[] | undefined {
  const records: PaxRecord[] = [];
  let at = 0;
  while (at < body.length) {
    const space = body.indexOf(" ", at);
    const digits = space === -1 ? "" : body.toString("latin1", at, space);
    const end = /^[1-9]\d{0,8}$/.test(digits) ? at + Number(digits) : -1;
    if (end <= space || end > body.length || body[end - 1] !== 0x0a) return undefined;
    const equals = body.indexOf("=", space);
    if (equals <= space + 1 || equals >= end) return undefined;
    const key = body.toString("utf8", space + 1, equals);
    records.push({ key, value: body.subarray(equals + 1, end - 1) });
    at = end;
  }
  return records;
}
