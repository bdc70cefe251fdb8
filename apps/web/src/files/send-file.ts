import { tellConnection } from "../api/connection.js";
import { API } from "../api/request.js";
import { authorization } from "../api/token.js";
import { texts } from "../texts/index.js";

/** A stored upload, as the server tells it. */
export interface StoredUpload {
  readonly path: string;
  readonly size: number;
}

/**
 * Uploads a file with reports of the bytes that were sent. Rejects with `AbortError` at the signal.
 * `fetch` does not tell how far a body was sent.
 */
export function sendFile(
  conversation: string,
  { name, file }: { readonly name: string; readonly file: File },
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (bytes: number) => void },
): Promise<StoredUpload> {
  return new Promise((resolve, reject) => {
    const sent = new XMLHttpRequest();
    sent.open("PUT", `${API}/conversations/${conversation}/uploads/${encodeURIComponent(name)}`);
    for (const [header, value] of Object.entries(authorization())) sent.setRequestHeader(header, value);
    sent.setRequestHeader("content-type", "application/octet-stream");
    sent.upload.onprogress = ({ loaded }) => onProgress(loaded);
    sent.onload = () => {
      if (sent.status === 201) resolve(JSON.parse(sent.responseText) as StoredUpload);
      else reject(new Error(detailOf(sent)));
    };
    sent.onerror = () => {
      tellConnection("lost");
      reject(new Error(texts.files.brokenOff));
    };
    sent.onabort = () => reject(new DOMException("The upload was cancelled.", "AbortError"));
    signal.addEventListener("abort", () => sent.abort(), { once: true });
    sent.send(file);
  });
}

function detailOf({ responseText, status }: XMLHttpRequest): string {
  try {
    return (JSON.parse(responseText) as { readonly detail: string }).detail;
  } catch {
    return texts.app.serverAnswered(status);
  }
}
