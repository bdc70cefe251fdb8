const FONTS = { text: "Helvetica", bold: "Helvetica-Bold", mono: "Courier" };
const PAGE = { width: 595, height: 842 };

/**
 * A PDF 1.4 file as a buffer, written by hand: uncompressed, no date, no id, so the same content gives the same bytes.
 * Each of `pages` is called with `text(string, { x, y, size, font })` and `link(url, { x, y, width, height })`;
 * coordinates in points from the bottom left. Text may use the characters of Windows-1252.
 */
export function pdfDocument({ title, pages }) {
  const objects = [];
  const add = (body) => objects.push(body);
  const fonts = Object.values(FONTS).map((name) =>
    add(`<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`),
  );
  const resources = `<< /Font << ${fonts.map((id, at) => `/F${at} ${id} 0 R`).join(" ")} >> >>`;
  const tree = objects.length + 1;
  add("");
  const kids = pages.map((draw) => {
    const { content, annotations } = drawn(draw);
    const links = annotations.map((body) => `${add(body)} 0 R`);
    const stream = add(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
    return add(
      `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 ${PAGE.width} ${PAGE.height}] /Resources ${resources}` +
        ` /Annots [${links.join(" ")}] /Contents ${stream} 0 R >>`,
    );
  });
  objects[tree - 1] =
    `<< /Type /Pages /Kids [${kids.map((id) => `${id} 0 R`).join(" ")}] /Count ${kids.length} >>`;
  const root = add(`<< /Type /Catalog /Pages ${tree} 0 R >>`);
  const info = add(`<< /Title (${escaped(title)}) >>`);
  return fileOf(objects, { root, info });
}

function drawn(draw) {
  const content = [];
  const annotations = [];
  draw({
    text(string, { x, y, size, font = "text" }) {
      const face = Object.keys(FONTS).indexOf(font);
      content.push(`BT /F${face} ${size} Tf 1 0 0 1 ${x} ${y} Tm (${escaped(string)}) Tj ET`);
    },
    link(url, { x, y, width, height }) {
      const rect = [x, y, x + width, y + height].join(" ");
      const action = `<< /S /URI /URI (${escaped(url)}) >>`;
      annotations.push(`<< /Type /Annot /Subtype /Link /Rect [${rect}] /Border [0 0 0] /A ${action} >>`);
    },
  });
  return { content: content.join("\n"), annotations };
}

/** A PDF string: the bullet at its place in Windows-1252, the rest as Latin-1. */
function escaped(string) {
  return string.replaceAll("\u2022", "\u0095").replace(/[\\()]/g, "\\$&");
}

function fileOf(objects, { root, info }) {
  let text = "%PDF-1.4\n%\u00e2\u00e3\u00cf\u00d3\n";
  const offsets = objects.map((body, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj\n${body}\nendobj\n`;
    return offset;
  });
  const start = text.length;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`;
  text += `trailer\n<< /Size ${objects.length + 1} /Root ${root} 0 R /Info ${info} 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, "latin1");
}
