import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";

const HEAD_BYTES = 9;
const OPTIONS_DESCRIPTOR = 5;

/**
 * Records how processes are started during the work, by this process and by the server of its runs, which must not have
 * been started before: `{ program, args, options, given }`, where `given` are the bytes for the last descriptor, so that
 * the same start can be repeated. They can be read during the work.
 */
export async function recordedSpawns(work, calls = []) {
  const original = childProcess.spawn;
  childProcess.spawn = /** @type {any} */ (
    (program, args, options) => {
      const child = original(program, args, options);
      if (args[0] === "serve") recordFrames(child.stdio.at(-1), program, calls);
      else calls.push({ program, args, options, given: undefined });
      return child;
    }
  );
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    childProcess.spawn = original;
    syncBuiltinESMExports();
  }
  return calls;
}

/** Every write is a number of whole frames; `PROTOCOL.md` of the supervisor describes them. */
function recordFrames(socket, program, calls) {
  const write = socket.write.bind(socket);
  const byChannel = new Map();
  socket.write = (bytes, ...rest) => {
    for (let at = 0; at < bytes.length; ) {
      const [kind, channel] = [String.fromCharCode(bytes[at]), bytes.readUInt32LE(at + 1)];
      const content = bytes.subarray(at + HEAD_BYTES, at + HEAD_BYTES + bytes.readUInt32LE(at + 5));
      at += HEAD_BYTES + content.length;
      if (kind === "S") {
        byChannel.set(channel, startOf(program, content));
        calls.push(byChannel.get(channel));
      } else if (kind === "D" && content[0] === OPTIONS_DESCRIPTOR && content.length > 1) {
        const call = byChannel.get(channel);
        call.given = Buffer.concat([call.given ?? Buffer.alloc(0), content.subarray(1)]);
      }
    }
    return write(bytes, ...rest);
  };
}

function startOf(program, content) {
  const count = content.readUInt32LE(1);
  const [, ...texts] = content.subarray(HEAD_BYTES).toString().split("\0");
  const [args, variables] = [texts.slice(0, count), texts.slice(count, -1)];
  const env = Object.fromEntries(variables.map((text) => text.split(/=(.*)/s).slice(0, 2)));
  const options = {
    cwd: args[args.indexOf("--cwd") + 1],
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  };
  return { program, args, options, given: undefined };
}
