/** Has the browser save a table. @param name what the reader's file is called */
export function saveFile(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads it after this event.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
