import { extraField } from "./raw-zip.js";

/** The extra field of zip64 with the given values. */
export function zip64Field(...values: readonly bigint[]): Buffer {
  const data = Buffer.alloc(8 * values.length);
  for (const [index, value] of values.entries()) data.writeBigUInt64LE(value, 8 * index);
  return extraField(1, data);
}

export interface Zip64End {
  readonly count?: number;
  readonly directoryStart?: number;
  readonly disk?: number;
  /** Offset added to the position of the record in the locator. */
  readonly offBy?: number;
}

/** The end record of zip64 for two entries, and its locator. */
export function zip64End({ count = 2, directoryStart: told, disk = 0, offBy = 0 }: Zip64End = {}) {
  return (directoryStart: number, directorySize: number): Buffer => {
    const record = Buffer.alloc(56);
    record.writeUInt32LE(0x06064b50, 0);
    record.writeBigUInt64LE(44n, 4);
    record.writeUInt32LE(disk, 16);
    record.writeBigUInt64LE(BigInt(count), 24);
    record.writeBigUInt64LE(BigInt(count), 32);
    record.writeBigUInt64LE(BigInt(directorySize), 40);
    record.writeBigUInt64LE(BigInt(told ?? directoryStart), 48);
    const locator = Buffer.alloc(20);
    locator.writeUInt32LE(0x07064b50, 0);
    locator.writeBigUInt64LE(BigInt(directoryStart + directorySize + offBy), 8);
    locator.writeUInt32LE(1, 16);
    return Buffer.concat([record, locator]);
  };
}
