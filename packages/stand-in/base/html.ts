const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes a text for HTML. */
export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
}

/** An HTML page of the union, without external resources. */
export function page(title: string, body: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 34em; margin: 3em auto; padding: 0 1em; }
label, input { display: block; }
input { font: inherit; padding: .3em; margin-bottom: 1em; width: 100%; box-sizing: border-box; }
button { font: inherit; padding: .4em 1.2em; }
td, th { text-align: left; padding: .2em 1.5em .2em 0; vertical-align: top; }
</style>
</head>
<body>
<h1>${escaped(title)}</h1>
${body}
</body>
</html>
`;
}
