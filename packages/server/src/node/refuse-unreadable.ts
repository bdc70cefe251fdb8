import type { Server } from "node:http";
import type { Socket } from "node:net";
import { problemResponse } from "../http/problem.js";

/** Answers bytes that are no HTTP request, and requests with headers that are too large or too late, in the form of other refusals. */
export function refuseUnreadable(http: Server): void {
  http.on("clientError", ({ code }: NodeJS.ErrnoException, socket: Socket) => {
    if (code === "ECONNRESET" || !socket.writable) return void socket.destroy();
    void answer(socket, refusal(code));
  });
}

function refusal(code: string | undefined): Response {
  if (code === "HPE_HEADER_OVERFLOW") return problemResponse("HEADERS_TOO_LARGE", LARGE);
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return problemResponse("TOO_SLOW", LATE);
  return problemResponse("INPUT_INVALID", NO_REQUEST);
}

const LARGE = "The address and the headers of this request have more than 16 KiB together.";
const LATE = "The headers of this request did not arrive in time. Send the request again, at once.";
const NO_REQUEST = "What was sent is no HTTP request. Send one.";

async function answer(socket: Socket, problem: Response): Promise<void> {
  const text = await problem.text();
  const lines = [
    `HTTP/1.1 ${problem.status} Refused`,
    "Connection: close",
    `Content-Type: ${problem.headers.get("content-type")}`,
    `Content-Length: ${Buffer.byteLength(text)}`,
  ];
  socket.end(`${lines.join("\r\n")}\r\n\r\n${text}`);
}
