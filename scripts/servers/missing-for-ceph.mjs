import { isOnPath } from "../is-on-path.mjs";

/** The programs that `startCephS3` needs, each with its Debian package. */
const needs = [
  ["ceph-mon", "ceph-mon"],
  ["ceph-osd", "ceph-osd"],
  ["radosgw", "radosgw"],
  ["radosgw-admin", "ceph-common"],
  ["monmaptool", "ceph-base"],
  ["osdmaptool", "ceph-base"],
  ["setpriv", "util-linux"],
];

/** Why the S3 server cannot be started here, with the remedy; undefined if nothing is missing. */
export function missingForCeph() {
  if (process.platform !== "linux") return "it runs on Linux only";
  const missing = needs.filter(([program = ""]) => !isOnPath(program));
  if (missing.length === 0) return undefined;
  const packages = [...new Set(missing.map(([, name]) => name))].join(" ");
  return `${missing.map(([program]) => program).join(", ")} not found; what to do: apt-get install --no-install-recommends ${packages}`;
}
