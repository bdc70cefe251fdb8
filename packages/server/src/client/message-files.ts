interface FileOfMessage {
  /** Unique in the message. */
  readonly name: string;
  readonly file: Uint8Array<ArrayBuffer>;
}

/** Returns the parts of a message. Each part of type `file` that contains its file is replaced by the file's name and bytes. */
export function messageFiles(parts: readonly object[]): readonly (object | FileOfMessage)[] {
  const names = new Set<string>();
  return parts.map((part) => {
    const { type, url, filename } = part as { type?: unknown; url?: unknown; filename?: string };
    const [, encoded] = (type === "file" && /^data:[^,]*;base64,(.*)$/s.exec(String(url))) || [];
    if (encoded === undefined) return part;
    const given = filename || "file";
    let name = given;
    for (let number = 2; names.has(name); number++) name = `${number}-${given}`;
    names.add(name);
    return { name, file: Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0)) };
  });
}
