import { useEffect, useRef } from "react";
import { texts } from "../texts/index.js";

/**
 * Foreign HTML in a frame of an opaque origin with its own policy (`frame.html`): no script of it runs, and nothing is
 * loaded for it.
 */
export default function ForeignFrame({ html, title }: { readonly html: string; readonly title: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const show = ({ source, data }: { source: unknown; data?: unknown }) => {
      const target = frame.current?.contentWindow;
      // An opaque origin has no name to send to.
      if (target && source === target && data === "ready") target.postMessage({ html }, "*");
    };
    addEventListener("message", show);
    const target = frame.current?.contentWindow;
    target?.postMessage({ html }, "*");
    return () => removeEventListener("message", show);
  }, [html]);
  return (
    <iframe
      ref={frame}
      title={title}
      src="./frame.html"
      sandbox="allow-scripts"
      referrerPolicy="no-referrer"
      className="h-full w-full bg-white"
    />
  );
}

/** A document that shows the picture. As a picture, an SVG runs no script. */
export function svgPage(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  const source = `data:image/svg+xml;base64,${btoa(text)}`;
  return `<!doctype html><title>${texts.previews.picture}</title><body style="margin:0;display:grid;place-items:center;height:100vh;background:#fff"><img alt="${texts.previews.picture}" style="max-width:100%;max-height:100%" src="${source}">`;
}
