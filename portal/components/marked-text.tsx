/** A text in which `code` stands between backticks. */
export function MarkedText({ text }: { readonly text: string }) {
  return <>{text.split("`").map((part, place) => (place % 2 === 1 ? <code>{part}</code> : part))}</>;
}
