/** Links of which one is the current one, such as ranges of time. */
export function Choice({
  label,
  options,
}: {
  readonly label: string;
  readonly options: readonly { readonly text: string; readonly href: string; readonly isCurrent: boolean }[];
}) {
  return (
    <nav class="choice" aria-label={label}>
      <ul>
        {options.map(({ text, href, isCurrent }) => (
          <li key={href}>
            <a href={href} aria-current={isCurrent ? "true" : undefined}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
