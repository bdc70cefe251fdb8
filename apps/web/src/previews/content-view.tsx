import { lazy, useMemo } from "react";
import { texts } from "../texts/index.js";
import { Markdown } from "../ui/markdown.js";
import ForeignFrame, { svgPage } from "./foreign-frame.js";
import type { PreviewKind } from "./preview-kind.js";

const TextView = lazy(() => import("./text-view.js"));
const TableView = lazy(() => import("./table-view.js"));
const PictureView = lazy(() => import("./picture-view.js"));
const PdfView = lazy(() => import("./pdf-view.js"));

interface ContentViewProps {
  readonly kind: PreviewKind;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly name: string;
  readonly mimeType: string;
}

const MOST_MARKDOWN_BYTES = 500_000;

/** A file as its kind is shown. */
export function ContentView({ kind, bytes, name, mimeType }: ContentViewProps) {
  switch (kind) {
    case "table":
      return <TableView bytes={bytes} />;
    case "markdown":
      if (bytes.length > MOST_MARKDOWN_BYTES) return <TextView bytes={bytes} />;
      return (
        <section tabIndex={0} aria-label={texts.previews.text} className="h-full overflow-auto p-5">
          <Markdown text={new TextDecoder().decode(bytes)} />
        </section>
      );
    case "json":
      return <JsonView bytes={bytes} name={name} />;
    case "text":
      return <TextView bytes={bytes} name={name} />;
    case "picture":
      return <PictureView bytes={bytes} type={mimeType} name={name} />;
    case "svg":
      return <ForeignFrame html={svgPage(bytes)} title={texts.previews.pictureOf(name)} />;
    case "html":
      return <ForeignFrame html={new TextDecoder().decode(bytes)} title={texts.previews.pageOf(name)} />;
    case "pdf":
      return <PdfView bytes={bytes} />;
    case "none":
      return <p className="p-6 text-soft">{texts.previews.notShown}</p>;
  }
}

function JsonView({ bytes, name }: Pick<ContentViewProps, "bytes" | "name">) {
  const shown = useMemo(() => indented(bytes), [bytes]);
  return <TextView bytes={shown} name={name} />;
}

/** JSON that is no JSON is shown as it is. */
function indented(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (bytes.length > 10_000_000) return bytes;
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return new TextEncoder().encode(JSON.stringify(value, undefined, 2));
  } catch {
    return bytes;
  }
}
