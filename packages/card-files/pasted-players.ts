const numberIn = /(?<![\w-])\d{1,4}-[0-9A-Za-z]{1,8}(?![\w-])/;
const indexIn = /(?<![\w.,+-])[+-]?\d{1,2}[.,]\d(?![\w.,])/;

/**
 * Makes a table of players who were pasted without a heading, one a line: each has a member number, perhaps a name and a Handicap Index. Other
 * lines are left out. A text with a heading stays as it is.
 */
export function tabulatePlayers(text: string): string {
  const lines = text.split(/[\r\n]+/).filter((line) => line.trim() !== "");
  if (!numberIn.test(lines[0] ?? "")) return text;
  const players = lines.flatMap((line) => {
    const unionId = numberIn.exec(line)?.[0];
    if (unionId === undefined) return [];
    const others = line.replace(unionId, "");
    const index = indexIn.exec(others)?.[0] ?? "";
    const cells = others.replace(index, "").split(/[\t;]/);
    const names = cells.map((cell) => cell.replaceAll(/^[\s",()]+|[\s",()]+$/g, ""));
    return [{ unionId, index, name: names.find((cell) => /\p{L}{2}/u.test(cell)) ?? "" }];
  });
  // A column of empty cells would say that the table has indexes; the tee is asked for.
  const hasIndex = players.some(({ index }) => index !== "");
  const rows = players.map(({ unionId, name, index }) => [name, unionId, "", ...(hasIndex ? [index] : [])]);
  return [["Player", "Member No", "Tee", ...(hasIndex ? ["Handicap Index"] : [])], ...rows]
    .map((row) => row.join("\t"))
    .join("\n");
}
