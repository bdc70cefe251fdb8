import type { SkillSeed } from "@skillwright/contracts";

export interface PlainObject {
  readonly key: string;
  readonly content: string | Uint8Array;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Skills as a copying tool writes them into a bucket, with the modes it records. */
export function plainObjects(seed: SkillSeed): readonly PlainObject[] {
  return Object.entries(seed).flatMap(([folder, files]) =>
    Object.entries(files).map(([path, file]) => {
      const { content, executable = false } =
        typeof file === "string" || file instanceof Uint8Array ? { content: file } : file;
      return { key: `${folder}/${path}`, content, metadata: executable ? { mode: "100755" } : {} };
    }),
  );
}
