/** Has the browser save a table. @param content a text is CSV @param name what the reader's file is called */
export function saveFile(content: string | Blob, name: string): void {
  const file =
    typeof content === "string" ? new Blob([content], { type: "text/csv;charset=utf-8" }) : content;
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads it after this event.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
