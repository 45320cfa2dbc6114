/** Says at the top of a document where it comes from. */
export function generatedFrom(sources: string): string {
  return `<!-- Generated from ${sources} by "npm run generate"; change it there. -->`
}

/** A table; cells are Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map(escapeCell).join(' | ')} |`)
    .join('\n')
}

/** Text as code. */
export function code(text: string): string {
  return `\`${text}\``
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
