interface FileOfMessage {
  /** Unique in the message. */
  readonly name: string;
  readonly file: Uint8Array<ArrayBuffer>;
}

/** The parts of a message, with the bytes in the place of each part of type `file` that contains its file. */
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
