/** Starts an S3 server, tells its address, stops it at the first input; the end of this process is the end of the server. */
import { startCephS3 } from "../../../scripts/servers/ceph-s3.mjs";

const { endpoint, stop } = await startCephS3();
console.log(endpoint);
process.stdin.once("data", stop);
process.stdin.on("end", () => {});
