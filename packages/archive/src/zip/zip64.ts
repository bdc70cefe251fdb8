import type { ExtraField } from "yauzl";
import { damaged } from "../damaged.js";

const ZIP64_FIELD = 0x0001;
const VALUE_BYTES = 8;
/** In a 32-bit field: the value is in the zip64 extra field. */
export const MARKER = 0xffffffff;

/** A header's 32-bit value, and the real value. */
export interface Zip64Value {
  readonly written: number;
  readonly actual: number;
  /** True where the header precedes the data, and the packer may not know the value yet. */
  readonly mayBeZero?: boolean;
}

/**
 * Checks the zip64 extra field against the directory's values, so that no reader takes others from it. It contains the
 * marked values in order; a local header contains all of them, and so may any header without a mark.
 * @throws SkillError `SKILL_INVALID`.
 */
export function checkZip64(fields: readonly ExtraField[], values: readonly Zip64Value[], what: string): void {
  const [field, second] = fields.filter(({ id }) => id === ZIP64_FIELD);
  const marked = values.filter(({ written }) => written === MARKER);
  if (!field) {
    if (marked.length > 0) throw damaged(`${what} refers to zip64 for a size but has no zip64 field`);
    return;
  }
  const forms = marked.length === values.length ? [marked] : marked.length > 0 ? [marked, values] : [values];
  if (second || !forms.some((form) => holds(field.data, form, marked.length === 0)))
    throw damaged(`${what} has sizes in its zip64 field that differ from the central directory`);
}

/** Without a mark the field may be shorter, because it is not read. */
function holds(data: Buffer, values: readonly Zip64Value[], mayEnd: boolean): boolean {
  if (data.length % VALUE_BYTES !== 0) return false;
  const count = data.length / VALUE_BYTES;
  if (count > values.length || (count < values.length && !mayEnd)) return false;
  return values.slice(0, count).every(({ actual, mayBeZero }, index) => {
    const value = data.readBigUInt64LE(index * VALUE_BYTES);
    return value === BigInt(actual) || (mayBeZero === true && value === 0n);
  });
}
