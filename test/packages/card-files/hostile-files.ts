import { zipSync } from "fflate";

const text = (content: string) => new TextEncoder().encode(content);
const workbookXml = (sheets: string) =>
  `<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>${sheets}</sheets></workbook>`;
const relations =
  '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>';
const sheetXml = (rows: string, before = "") =>
  `<?xml version="1.0"?>${before}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`;

const contentTypes =
  '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>';

/** A workbook of one sheet, with other parts in place of its own. */
function workbook(
  rows: string,
  { parts = {}, before = "" }: { parts?: Record<string, string | Uint8Array>; before?: string } = {},
): Uint8Array {
  const all: Record<string, string | Uint8Array> = {
    "[Content_Types].xml": contentTypes,
    "xl/workbook.xml": workbookXml('<sheet name="A" sheetId="1" r:id="rId1"/>'),
    "xl/_rels/workbook.xml.rels": relations,
    "xl/worksheets/sheet1.xml": sheetXml(rows, before),
    ...parts,
  };
  return zipSync(
    Object.fromEntries(
      Object.entries(all).map(([name, part]) => [name, typeof part === "string" ? text(part) : part]),
    ),
    { level: 1 },
  );
}

const cell = (reference: string) => `<row><c r="${reference}"><v>1</v></c></row>`;
/** A workbook with nothing hostile. */
export const plain = workbook('<row r="1"><c r="A1"><v>1</v></c></row>');
const patched = (at: (view: DataView) => void): Uint8Array => {
  const copy = plain.slice();
  at(new DataView(copy.buffer));
  return copy;
};
const directoryOf = (view: DataView) => view.getUint32(view.byteLength - 6, true);
const zeros = new Uint8Array(52_000_000);
const many = (count: number, make: (place: number) => string) =>
  Array.from({ length: count }, (_, place) => make(place)).join("");

/** A row of twenty cells, as Excel writes it. */
const rowOf = (row: number) =>
  `<row r="${row}">${many(20, (column) => `<c r="${String.fromCharCode(65 + column)}${row}"><v>1</v></c>`)}</row>`;

const tooLarge =
  /has a cell of more than 32767|Delete the rows and columns beyond the table|Save only the sheet|Send it in several files/;
const unreadable = /Save it as \.xlsx/;

/** Files that somebody may send, with what is to be said of each; `/./` if it may be read. */
export const hostileFiles: readonly (readonly [name: string, make: () => Uint8Array, said: RegExp])[] = [
  ["a cell at XFD1048576", () => workbook(cell("XFD1048576")), tooLarge],
  ["a cell in the last row", () => workbook(cell("A1048576")), tooLarge],
  ["a cell in the last column", () => workbook(cell("XFD1")), tooLarge],
  ["a cell beyond what a sheet has", () => workbook(cell("ZZZZZZ99999999999")), unreadable],
  ["a cell at a negative place", () => workbook(cell("A-5")), unreadable],
  ["a reference with a character entity", () => workbook(cell("&#88;FD1048576")), unreadable],
  [
    "a reference in single quotation marks",
    () => workbook("<row><c r='XFD1048576'><v>1</v></c></row>"),
    tooLarge,
  ],
  ["a row at 1048576 without cells", () => workbook('<row r="1048576"/>'), unreadable],
  ["names with a prefix", () => workbook('<x:row><x:c r="XFD1048576"><x:v>1</x:v></x:c></x:row>'), tooLarge],
  ["more rows than are read", () => workbook(many(100_001, () => "<row/>")), tooLarge],
  [
    "more cells than are read",
    () => workbook(many(2_100, () => `<row>${"<c/>".repeat(1_000)}</row>`)),
    tooLarge,
  ],
  ["52 MB of zeros in a part", () => workbook("", { parts: { "xl/sharedStrings.xml": zeros } }), tooLarge],
  [
    "52 MB in a sheet that nobody names",
    () => workbook("", { parts: { "xl/worksheets/sheet9.xml": zeros } }),
    tooLarge,
  ],
  [
    "a part whose size is a lie",
    () => {
      const bomb = workbook("", { parts: { "xl/styles.xml": zeros } });
      const view = new DataView(bomb.buffer, bomb.byteOffset, bomb.byteLength);
      let at = directoryOf(view);
      while (view.getUint32(at, true) === 0x02014b50) {
        view.setUint32(at + 24, 10, true);
        at +=
          46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
      }
      return bomb;
    },
    unreadable,
  ],
  [
    "entities that grow",
    () =>
      workbook('<row><c r="A1"/></row>', {
        before: '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>',
      }),
    unreadable,
  ],
  [
    "an entity of a file",
    () =>
      workbook('<row><c r="A1"/></row>', {
        before: '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
      }),
    unreadable,
  ],
  [
    "a thousand parts",
    () =>
      zipSync(
        Object.fromEntries(Array.from({ length: 1_000 }, (_, place) => [`xl/${place}.xml`, text("<a/>")])),
      ),
    unreadable,
  ],
  ["no parts", () => zipSync({}), unreadable],
  ["a zip file of something else", () => zipSync({ "a.txt": text("a") }), unreadable],
  ["a directory cut off", () => plain.subarray(0, plain.length - 30), unreadable],
  [
    "a directory elsewhere",
    () => patched((view) => view.setUint32(view.byteLength - 6, 0xffffff00, true)),
    unreadable,
  ],
  [
    "a part elsewhere",
    () => patched((view) => view.setUint32(directoryOf(view) + 42, 0xfffffff0, true)),
    unreadable,
  ],
  [
    "a part larger than the file",
    () => patched((view) => view.setUint32(directoryOf(view) + 20, 0x7fffffff, true)),
    /./,
  ],
  ["a part with a password", () => patched((view) => view.setUint16(directoryOf(view) + 8, 1, true)), /./],
  [
    "a part in an unknown form",
    () => patched((view) => view.setUint16(directoryOf(view) + 10, 99, true)),
    unreadable,
  ],
  [
    "damaged bytes",
    () =>
      patched((view) => {
        for (let at = 50; at < 90; at += 1) view.setUint8(at, 0xff);
      }),
    unreadable,
  ],
  ["no sheet", () => workbook("", { parts: { "xl/workbook.xml": workbookXml("") } }), /./],
  [
    "a sheet that is not there",
    () => workbook("", { parts: { "xl/_rels/workbook.xml.rels": relations.replace("sheet1", "sheet7") } }),
    unreadable,
  ],
  [
    "XML that does not end",
    () => workbook("", { parts: { "xl/worksheets/sheet1.xml": "<worksheet><sheetData><row>" } }),
    /./,
  ],
  ["a shared text that is not there", () => workbook('<row><c r="A1" t="s"><v>99</v></c></row>'), unreadable],
  [
    "an old workbook, or one with a password",
    () => Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
    unreadable,
  ],
  ["a web page", () => text("<html><table><tr><td>1</td></tr></table></html>"), /./],
  ["a file of 30 MB", () => zeros.subarray(0, 30_000_000), tooLarge],
  [
    "one sheet under 400 names",
    () =>
      workbook(
        many(2_000, (place) => rowOf(place + 1)),
        {
          parts: {
            "xl/workbook.xml": workbookXml(
              many(400, (place) => `<sheet name="A${place}" sheetId="${place + 1}" r:id="rId1"/>`),
            ),
          },
        },
      ),
    unreadable,
  ],
  [
    "a million shared texts",
    () =>
      workbook('<row r="1"><c r="A1" t="s"><v>0</v></c></row>', {
        parts: {
          "xl/sharedStrings.xml": `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">${many(1_000_000, () => "<si><t>a</t></si>")}</sst>`,
        },
      }),
    /./,
  ],
  [
    "a shared text of 40 MB",
    () =>
      workbook('<row r="1"><c r="A1" t="s"><v>0</v></c></row>', {
        parts: {
          "xl/sharedStrings.xml": `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>${"a".repeat(40_000_000)}</t></si></sst>`,
        },
      }),
    /./,
  ],
  ["elements within elements", () => workbook("<row>".repeat(90_000)), unreadable],
  [
    "a style for every cell",
    () =>
      workbook("<row><c s='1'><v>1</v></c></row>", {
        parts: {
          "xl/styles.xml": `<styleSheet><cellXfs>${many(800_000, () => '<xf numFmtId="14"/>')}</cellXfs></styleSheet>`,
        },
      }),
    /./,
  ],
  ["as many cells as are read", () => workbook(many(4_000, (place) => rowOf(place + 1))), /./],
  ["a text: a quoted cell without end", () => text(`a;b\n1;"${"x".repeat(20_000_000)}`), /quotation marks/],
  ["a text: signs behind a quoted cell", () => text(`a;b\n"1"${"x".repeat(20_000_000)}`), /./],
  ["a text: a million columns", () => text(`${"Hole;".repeat(1_000_000)}\n1`), tooLarge],
  ["a text: 20 million separators", () => text(";".repeat(20_000_000)), tooLarge],
  ["a text: 20 million lines", () => text("\n".repeat(20_000_000)), tooLarge],
  ["a text: 20 million quotation marks", () => text('"'.repeat(20_000_000)), /./],
  ["a text: 20 million quoted separators", () => text('"";'.repeat(6_000_000)), tooLarge],
  ["a text: one cell of 20 MB", () => text("Member No ".repeat(2_000_000)), /./],
  ["a text: 500 columns of one heading", () => text(`${"1;".repeat(499)}1\n`.repeat(4_000)), /./],
  ["a text: 100,000 rows of two cells", () => text("Name;1\n".repeat(100_000)), /./],
  ["a text: spaces", () => text(" ".repeat(20_000_000)), /./],
  ["a text: zeros", () => zeros.subarray(0, 20_000_000), /./],
];
