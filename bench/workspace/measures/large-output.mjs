import { openHouse, temporaryDirectory } from "../house.mjs";
import { peakMemory } from "../peak-memory.mjs";

const MEBIBYTE = 1024 ** 2;

/** A run that creates one large file which becomes an artifact: the memory of this process, and the time. */
export default async function largeOutput({ isolation, mebibytes }) {
  const { directory, remove } = temporaryDirectory();
  const { workspaces, artifacts, close } = openHouse(directory, { isolation });
  const scope = { app: "bench", user: "bench", session: "large-output" };
  const size = mebibytes * MEBIBYTE;
  const saved = async (id, megabytes) => {
    const command = `head -c ${megabytes * MEBIBYTE} /dev/zero > "$OUTPUT_DIR/large.bin"`;
    const limits = { maxFileBytes: size, maxTotalBytes: size };
    const outputs = { globs: ["out/large.bin"], save: true, ...limits };
    const result = await workspaces.run(id, { command, outputs, timeoutMs: 600_000 });
    const artifact = result.outputs[0]?.artifact;
    if (artifact?.size !== megabytes * MEBIBYTE)
      throw new Error(`not saved: ${JSON.stringify(result.diagnostics)}`);
  };
  try {
    const { id } = await workspaces.create({ session: scope });
    await saved(id, 64);
    const started = performance.now();
    const { more } = await peakMemory(() => saved(id, mebibytes));
    const seconds = (performance.now() - started) / 1000;
    return {
      isolation,
      bytes: size,
      more,
      seconds,
      versions: (await artifacts.versions(scope, "out/large.bin")).length,
    };
  } finally {
    await close();
    remove();
  }
}
