/** Starts an S3 server, prints its address, and stops it at the first input; the server also ends with this process. */
import { startCephS3 } from "../../../../../scripts/servers/ceph-s3.mjs";

const { endpoint, stop } = await startCephS3();
console.log(endpoint);
process.stdin.once("data", stop);
process.stdin.on("end", () => {});
