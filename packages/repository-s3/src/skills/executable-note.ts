/** File modes of regular files, in the decimal form that s3fs writes. */
const REGULAR = { from: 0o100000, to: 0o107777 } as const;

/**
 * True where the object's metadata marks it as an executable file. Mounts and copying tools store a `mode`: s3fs as a
 * decimal number, rclone as an octal one.
 */
export function isExecutable(metadata: Readonly<Record<string, string>>): boolean {
  const note = metadata["mode"] ?? "";
  if (!/^\d{3,7}$/.test(note)) return false;
  const decimal = Number(note);
  const mode = decimal >= REGULAR.from && decimal <= REGULAR.to ? decimal : Number.parseInt(note, 8);
  return (mode & 0o111) !== 0;
}
