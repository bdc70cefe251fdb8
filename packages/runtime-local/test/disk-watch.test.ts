import { expect, onTestFinished, test } from "vitest";
import { diskWatch } from "../src/limits/disk-watch.js";
import { temporaryDirectory } from "./local-subject.js";

test("a process that still sees the host's files and processes is not measured through them", async () => {
  const { path, remove } = await temporaryDirectory();
  onTestFinished(remove);
  const codes = await new Promise<readonly string[]>((resolve) => {
    let looks = 0;
    const finish = () => resolve(watch.diagnostics().map(({ code }) => code));
    const watch = diskWatch({
      directories: [path],
      unmeasured: { ms: 0, allowedMs: 0 },
      limits: { inodes: 2 },
      processes: 1,
      isLenient: true,
      inside: async () => {
        if (++looks === 3) finish();
        return process.pid;
      },
      onExceeded: finish,
    });
    onTestFinished(() => watch.stop());
  });
  expect(codes).toEqual([]);
});
