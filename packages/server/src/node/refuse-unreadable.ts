import type { Server } from "node:http";
import type { Socket } from "node:net";
import { problemResponse } from "../http/problem.js";

/** Answers what is no HTTP request, or has too large a header, as the server answers other refused requests. */
export function refuseUnreadable(http: Server): void {
  http.on("clientError", ({ code }: NodeJS.ErrnoException, socket: Socket) => {
    if (code === "ECONNRESET" || !socket.writable) return void socket.destroy();
    const isLarge = code === "HPE_HEADER_OVERFLOW";
    void answer(
      socket,
      isLarge ? problemResponse("HEADERS_TOO_LARGE", LARGE) : problemResponse("INPUT_INVALID", NO_REQUEST),
    );
  });
}

const LARGE = "The address and the headers of this request have more than 16 KiB together.";
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
