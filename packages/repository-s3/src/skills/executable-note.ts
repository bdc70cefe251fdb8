/** File modes of regular files, as numbers: what s3fs writes, in decimal. */
const REGULAR = { from: 0o100000, to: 0o107777 } as const;

/**
 * Whether the object's notes say that it was an executable file. Mounts and copying tools note a `mode`: s3fs as a decimal
 * number, rclone as an octal one.
 */
export function isExecutable(metadata: Readonly<Record<string, string>>): boolean {
  const note = metadata["mode"] ?? "";
  if (!/^\d{3,7}$/.test(note)) return false;
  const decimal = Number(note);
  const mode = decimal >= REGULAR.from && decimal <= REGULAR.to ? decimal : Number.parseInt(note, 8);
  return (mode & 0o111) !== 0;
}
