/** A PDF with one line of Helvetica on each page, without one if the text is empty. */
export function textPdf(pages: string[]): Uint8Array {
  const font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";
  return pdf({ font: [font], pages: pages.map((text) => (text ? [{ size: 11, show: `(${text})` }] : [])) });
}

/** One page in a Chinese font that is not embedded, in the encoding UniGB-UCS2-H; the first line is twice as large. */
export function cjkPdf(lines: string[]): Uint8Array {
  const font = [
    "<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [4 0 R] >>",
    "<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /FontDescriptor 5 0 R /CIDSystemInfo" +
      " << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> >>",
    "<< /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /FontBBox [0 -200 1000 900] /ItalicAngle 0" +
      " /Ascent 800 /Descent -200 /StemV 80 /CapHeight 700 >>",
  ];
  const bigEndian = (text: string) => Buffer.from(text, "utf16le").swap16().toString("hex");
  return pdf({
    font,
    pages: [lines.map((line, at) => ({ size: at === 0 ? 20 : 10, show: `<${bigEndian(line)}>` }))],
  });
}

/** A PDF that is encrypted with a password. */
export function lockedPdf(): Uint8Array {
  const encryption = `<< /Filter /Standard /V 1 /R 2 /O <${"41".repeat(32)}> /U <${"42".repeat(32)}> /P -4 >>`;
  const font = ["<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"];
  return pdf({ font, pages: [[{ size: 11, show: "(x)" }]], encryption });
}

interface Line {
  size: number;
  show: string;
}

/** Objects 1 and 2 are the catalogue and the page tree, then the font. There is no cross-reference table. */
function pdf(parts: { font: string[]; pages: Line[][]; encryption?: string }): Uint8Array {
  const objects = ["<< /Type /Catalog /Pages 2 0 R >>", "", ...parts.font];
  const add = (body: string) => objects.push(body);
  const kids = parts.pages.map((lines) => {
    const show = lines.map(
      (line, at) => `BT /F ${line.size} Tf 1 0 0 1 20 ${250 - at * 14} Tm ${line.show} Tj ET`,
    );
    const content = add(`<< /Length ${show.join("\n").length} >>\nstream\n${show.join("\n")}\nendstream`);
    const resources = "/MediaBox [0 0 300 400] /Resources << /Font << /F 3 0 R >> >>";
    return add(`<< /Type /Page /Parent 2 0 R ${resources} /Contents ${content} 0 R >>`);
  });
  objects[1] = `<< /Type /Pages /Kids [${kids.map((id) => `${id} 0 R`).join(" ")}] /Count ${kids.length} >>`;
  const encrypt = parts.encryption ? `/Encrypt ${add(parts.encryption)} 0 R /ID [<41> <41>]` : "";
  const bodies = objects.map((body, at) => `${at + 1} 0 obj\n${body}\nendobj\n`);
  return Buffer.from(`%PDF-1.4\n${bodies.join("")}trailer\n<< /Root 1 0 R ${encrypt} >>\n%%EOF\n`, "latin1");
}
