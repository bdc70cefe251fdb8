export type FileFormat = "program" | "bytecode" | "archive";

const SIGNATURES: readonly {
  readonly format: FileFormat;
  readonly bytes: readonly number[];
  readonly at?: number;
}[] = [
  { format: "program", bytes: [0x7f, 0x45, 0x4c, 0x46] },
  { format: "program", bytes: [0xcf, 0xfa, 0xed, 0xfe] },
  { format: "program", bytes: [0xce, 0xfa, 0xed, 0xfe] },
  { format: "program", bytes: [0xfe, 0xed, 0xfa, 0xcf] },
  { format: "bytecode", bytes: [0xca, 0xfe, 0xba, 0xbe] },
  { format: "bytecode", bytes: [0x00, 0x61, 0x73, 0x6d] },
  { format: "archive", bytes: [0x50, 0x4b, 0x03, 0x04] },
  { format: "archive", bytes: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c] },
  { format: "archive", bytes: [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07] },
  { format: "archive", bytes: [0x1f, 0x8b, 0x08] },
  { format: "archive", bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00] },
  { format: "archive", bytes: [0x75, 0x73, 0x74, 0x61, 0x72], at: 257 },
];

/** Recognises formats that can be run or unpacked by their first bytes. */
export function fileFormat(content: string | Uint8Array | undefined): FileFormat | undefined {
  if (content === undefined) return undefined;
  const head =
    typeof content === "string" ? Buffer.from(content.slice(0, 512), "latin1") : content.subarray(0, 512);
  const known = SIGNATURES.find(({ bytes, at = 0 }) =>
    bytes.every((byte, index) => head[at + index] === byte),
  );
  if (known) return known.format;
  // A text may begin with "MZ" too.
  return head[0] === 0x4d && head[1] === 0x5a && head.includes(0) ? "program" : undefined;
}
