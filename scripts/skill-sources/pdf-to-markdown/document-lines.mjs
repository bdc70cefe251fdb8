import { pageLines } from "./page-lines.mjs";

/**
 * The text of the chosen pages, read one page at a time: `{ pages: [{ number, height, lines }], total }`.
 * Coordinates are as seen: from the top left of the page, in points, the page's rotation applied.
 */
export async function documentLines(pdf, choose) {
  const pages = [];
  for (const number of choose(pdf.numPages)) {
    const page = await pdf.getPage(number);
    const viewport = page.getViewport({ scale: 1 });
    const content = await page.getTextContent();
    const links = await linksOf(page, viewport);
    pages.push({ number, height: viewport.height, lines: pageLines(piecesOf(content, viewport, links)) });
    page.cleanup();
  }
  return { pages, total: pdf.numPages };
}

/** Pieces of text in the document's own order, with the position of their baseline. */
function piecesOf(content, viewport, links) {
  return content.items
    .filter((item) => item.str !== undefined && item.str.trim() !== "")
    .map((item) => {
      const [a, b, c, d, e, f] = multiply(viewport.transform, item.transform);
      const piece = {
        text: item.str,
        x: e,
        y: f,
        width: item.width,
        size: Math.hypot(c, d),
        upright: Math.abs(b) < Math.abs(a) / 4 && a > 0,
        mono: content.styles[item.fontName]?.fontFamily === "monospace",
      };
      const url = links.find((link) => covers(link, piece))?.url;
      return url ? { ...piece, url } : piece;
    });
}

async function linksOf(page, viewport) {
  const annotations = await page.getAnnotations();
  return annotations
    .filter(({ subtype, url }) => subtype === "Link" && /^(https?|mailto):/i.test(url ?? ""))
    .map(({ url, rect }) => {
      const [x1, y1] = viewport.convertToViewportPoint(rect[0], rect[1]);
      const [x2, y2] = viewport.convertToViewportPoint(rect[2], rect[3]);
      return {
        url,
        left: Math.min(x1, x2),
        right: Math.max(x1, x2),
        top: Math.min(y1, y2),
        bottom: Math.max(y1, y2),
      };
    });
}

/** Whether nearly all of the piece is in the link's rectangle. */
function covers({ left, right, top, bottom }, { x, y, width, size }) {
  const inside = Math.min(right, x + width) - Math.max(left, x);
  const middle = y - size * 0.3;
  return inside >= 0.8 * width && middle >= top && middle <= bottom;
}

function multiply(m, n) {
  return [
    m[0] * n[0] + m[2] * n[1],
    m[1] * n[0] + m[3] * n[1],
    m[0] * n[2] + m[2] * n[3],
    m[1] * n[2] + m[3] * n[3],
    m[0] * n[4] + m[2] * n[5] + m[4],
    m[1] * n[4] + m[3] * n[5] + m[5],
  ];
}
