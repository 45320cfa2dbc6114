/**
 * One word for a POSIX shell: as it is where nothing in it is special, else in single quotes.
 */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}

/**
 * The words of a shell command, unquoted, operators among them as words of their own and comments left out. Good
 * enough to recognise a command; nothing is expanded.
 */
export function splitWords(command: string): string[] {
  const words: string[] = []
  for (const [part] of command.matchAll(
    /#.*|[;&|()<>]+|(?:'[^']*'?|"(?:[^"\\]|\\[^])*"?|\\[^]|[^\s'"\\;&|()<>])+/g,
  )) {
    if (!part.startsWith('#')) words.push(unquote(part))
  }
  return words
}

function unquote(word: string): string {
  return word.replaceAll(
    /'([^']*)'?|"((?:[^"\\]|\\[^])*)"?|\\([^])/g,
    (_, single?: string, double?: string, bare?: string) => {
      return single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? bare ?? ''
    },
  )
}
