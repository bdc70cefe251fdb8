import type { ExtraField } from "yauzl";
import { damaged } from "../damaged.js";

const ZIP64_FIELD = 0x0001;
const VALUE_BYTES = 8;
/** In a field of 32 bits: look into the extra field of zip64. */
export const MARKER = 0xffffffff;

/** What a header says in 32 bits, and what is so. */
export interface Zip64Value {
  readonly written: number;
  readonly actual: number;
  /** True where the header comes before the data, and its packer may not know yet. */
  readonly mayBeZero?: boolean;
}

/**
 * Checks the extra field of zip64 against the values that the directory gives, so that no reader takes others from it.
 * It holds the marked values in their order; a local header holds all of them, and so may any header without a mark.
 * @throws SkillError `SKILL_INVALID`.
 */
export function checkZip64(fields: readonly ExtraField[], values: readonly Zip64Value[], what: string): void {
  const [field, second] = fields.filter(({ id }) => id === ZIP64_FIELD);
  const marked = values.filter(({ written }) => written === MARKER);
  if (!field) {
    if (marked.length > 0) throw damaged(`${what} marks a size for zip64 and has no field for it`);
    return;
  }
  const forms = marked.length === values.length ? [marked] : marked.length > 0 ? [marked, values] : [values];
  if (second || !forms.some((form) => holds(field.data, form, marked.length === 0)))
    throw damaged(`${what} has other sizes in its zip64 field than in the directory`);
}

/** Without a mark the field may end early: then nobody looks into it. */
function holds(data: Buffer, values: readonly Zip64Value[], mayEnd: boolean): boolean {
  if (data.length % VALUE_BYTES !== 0) return false;
  const count = data.length / VALUE_BYTES;
  if (count > values.length || (count < values.length && !mayEnd)) return false;
  return values.slice(0, count).every(({ actual, mayBeZero }, index) => {
    const value = data.readBigUInt64LE(index * VALUE_BYTES);
    return value === BigInt(actual) || (mayBeZero === true && value === 0n);
  });
}
