import { GlobalWorkerOptions, getDocument, type PDFDocumentProxy } from "pdfjs-dist";
import worker from "pdfjs-dist/build/pdf.worker.min.mjs?url";
import { useEffect, useRef, useState } from "react";
import { texts } from "../texts/index.js";
import { Button } from "../ui/button.js";
import { Notice } from "../ui/notice.js";
import { numberInWords } from "../ui/words.js";

GlobalWorkerOptions.workerSrc = worker;

/** A PDF, page by page, drawn on a canvas; nothing in it runs. */
export default function PdfView({ bytes }: { readonly bytes: Uint8Array }) {
  const [pdf, setPdf] = useState<PDFDocumentProxy>();
  const [failure, setFailure] = useState<string>();
  const [page, setPage] = useState(1);
  const canvas = useRef<HTMLCanvasElement>(null);

  useEffect(() => {
    // The worker takes what it is given.
    const task = getDocument({
      data: bytes.slice(),
      disableFontFace: true,
      useWasm: false,
      enableXfa: false,
    });
    task.promise.then(setPdf, (error: Error) => setFailure(error.message));
    return () => void task.destroy();
  }, [bytes]);

  useEffect(() => {
    if (!pdf || !canvas.current) return;
    const target = canvas.current;
    let drawing: { cancel(): void } | undefined;
    let isOver = false;
    void pdf.getPage(page).then((shown) => {
      if (isOver) return;
      const viewport = shown.getViewport({ scale: 1.5 });
      target.width = viewport.width;
      target.height = viewport.height;
      const task = shown.render({ canvas: target, viewport });
      drawing = task;
      task.promise.catch((error: Error) => {
        if (error.name !== "RenderingCancelledException") setFailure(error.message);
      });
    });
    return () => {
      isOver = true;
      drawing?.cancel();
    };
  }, [pdf, page]);

  if (failure) return <Notice>{texts.previews.cannotShow(failure)}</Notice>;
  return (
    <div className="flex h-full flex-col">
      <section
        tabIndex={0}
        aria-label={texts.previews.page}
        className="min-h-0 flex-1 overflow-auto bg-panel p-4"
      >
        <canvas
          ref={canvas}
          role="img"
          aria-label={texts.previews.pageNumber(numberInWords(page))}
          className="mx-auto max-w-full bg-white shadow"
        />
      </section>
      {pdf && (
        <div className="flex items-center justify-center gap-3 border-t border-line p-2 text-sm">
          <Button disabled={page <= 1} onClick={() => setPage(page - 1)}>
            {texts.previews.back}
          </Button>
          <span>{texts.previews.pageOfPages(numberInWords(page), numberInWords(pdf.numPages))}</span>
          <Button disabled={page >= pdf.numPages} onClick={() => setPage(page + 1)}>
            {texts.previews.next}
          </Button>
        </div>
      )}
    </div>
  );
}
