import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const WHEEL = "wheels/spoken-1.0.0-py3-none-any.whl";
const WRITE = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w") as wheel:
    info = "spoken-1.0.0.dist-info"
    wheel.writestr("spoken/__init__.py", "TEXT = 'spoken'\\n")
    wheel.writestr(info + "/METADATA", "Metadata-Version: 2.1\\nName: spoken\\nVersion: 1.0.0\\n")
    wheel.writestr(info + "/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr(info + "/RECORD", "")
`;

/** Files of a skill that locks one Python package and brings its wheel, so that no index is needed. Needs python3. */
export function packagedSkill() {
  const directory = mkdtempSync(join(tmpdir(), "skillwright-bench-"));
  try {
    const file = join(directory, "wheel");
    execFileSync("python3", ["-c", WRITE, file]);
    const wheel = readFileSync(file);
    const hash = createHash("sha256").update(wheel).digest("hex");
    return { "requirements.txt": `spoken==1.0.0 --hash=sha256:${hash}\n`, [WHEEL]: wheel };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
