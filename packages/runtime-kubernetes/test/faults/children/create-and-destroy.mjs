/** Uses the built package as another process would: `create-and-destroy.mjs <options> <id>`; the options are JSON. */
import { kubernetesRuntime } from "@skillwright/runtime-kubernetes";

const [options, id] = process.argv.slice(2);
const runtime = kubernetesRuntime(JSON.parse(options));
await runtime.create(id);
await runtime.destroy(id);
await runtime.close();
