export interface PaxRecord {
  readonly key: string;
  readonly value: Buffer;
}

/**
 * Parses the records of a pax header, each `length key=value` and a line end; `undefined` where they are inconsistent.
 */
export function paxRecords(body: Buffer): readonly PaxRecord[] | undefined {
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
