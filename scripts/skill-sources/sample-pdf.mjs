import { pdfDocument } from "./pdf-document.mjs";

const LEFT = 72;
const TOP = 770;
const PAGES = 3;

/** A three-page PDF with the parts of a report: headings, paragraphs, lists, a table, code, a link, running heads. */
export function samplePdf() {
  const pages = [firstPage(), secondPage(), thirdPage()].map((draw, at) => (page) => {
    page.text("Harbour Survey 2025", { x: LEFT, y: 810, size: 9 });
    draw(page);
    page.text(`Page ${at + 1} of ${PAGES}`, { x: 480, y: 40, size: 9 });
  });
  return pdfDocument({ title: "Harbour Survey 2025", pages });
}

function firstPage() {
  return (page) => {
    const flow = flowOn(page);
    flow.heading("Harbour Survey", 24);
    flow.paragraph([
      "The harbour was surveyed from March to October 2025. This report tells what",
      "was measured, how the depth of the northern basin has changed since the last",
      "survey, and which of the moorings need repair before the winter. The measure-",
      "ments were taken at low tide, from a boat with a single-beam sounder.",
    ]);
    flow.paragraph(["All depths are in metres below chart datum. The raw numbers are published at"]);
    flow.address("https://example.org/harbour/2025", 170);
    flow.heading("Main findings", 16);
    flow.list([
      ["The northern basin has lost 0.4 metres of depth since 2021."],
      ["Two of fourteen moorings must be repaired at once:"],
    ]);
    flow.list(
      [
        [
          "The chain of mooring 7 has worn to half its thickness, and the block",
          "below it has moved two metres to the east.",
        ],
        ["Mooring 12 has lost its buoy."],
      ],
      20,
    );
    flow.list([["The fairway is clear."]]);
  };
}

function secondPage() {
  return (page) => {
    const flow = flowOn(page);
    flow.heading("Depths by basin", 16);
    flow.paragraph(["The table gives the mean depth of each basin in both surveys."]);
    flow.table(
      [LEFT, 230, 320, 410],
      [
        ["Basin", "2021", "2025", "Change"],
        ["Northern", "6.8", "6.4", "-0.4"],
        ["Middle", "5.9", "5.9", "0.0"],
        ["Southern", "4.2", "4.1", "-0.1"],
      ],
    );
    flow.heading("How to repeat it", 16);
    flow.heading("Steps", 13);
    flow.numbered([
      ["Calibrate the sounder against a lead line."],
      ["Sail the lines from west to east, twenty metres apart."],
      ["Correct every sounding for the tide."],
    ]);
  };
}

function thirdPage() {
  return (page) => {
    const flow = flowOn(page);
    flow.heading("The correction", 16);
    flow.paragraph(["The tide is taken off with this function; file_name is the gauge's log:"]);
    flow.code(["function corrected(depth, tide) {", "  return depth - tide;", "}"]);
    flow.paragraph(["A tide of 2 * 0.5 metres is not unusual here."]);
  };
}

/** Sets text from the top of the page downwards. */
function flowOn(page) {
  let y = TOP;
  const line = (text, x = LEFT, options = {}) => {
    page.text(text, { x, y, size: 11, ...options });
    y -= 14;
  };
  return {
    heading(text, size) {
      y -= 8;
      page.text(text, { x: LEFT, y, size, font: "bold" });
      y -= size + 12;
    },
    paragraph(lines) {
      for (const text of lines) line(text);
      y -= 10;
    },
    /** Continues the paragraph before: one line, all of it a link. */
    address(url, width) {
      y += 10;
      page.link(url, { x: LEFT, y: y - 3, width, height: 14 });
      line(url);
      y -= 10;
    },
    list(items, indent = 0) {
      for (const lines of items) {
        page.text("\u2022", { x: LEFT + 10 + indent, y, size: 11 });
        for (const text of lines) line(text, LEFT + 22 + indent);
      }
    },
    numbered(items) {
      for (const [at, lines] of items.entries()) {
        page.text(`${at + 1}.`, { x: LEFT + 6, y, size: 11 });
        for (const text of lines) line(text, LEFT + 24);
      }
    },
    table(columns, rows) {
      for (const cells of rows) {
        for (const [at, cell] of cells.entries()) page.text(cell, { x: columns[at], y, size: 11 });
        y -= 18;
      }
      y -= 10;
    },
    code(lines) {
      for (const text of lines) line(text, LEFT + 10, { font: "mono" });
      y -= 10;
    },
  };
}
