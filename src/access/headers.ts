/** One header of a request: absent, one value, or each of several lines. */
export type HeaderValue = string | readonly string[] | undefined

/**
 * Every line of a header, from the `rawHeaders` of a request. `request.headers` cannot be used where a second
 * line matters: Node drops it for `host` and `authorization`.
 *
 * @param name in lower case
 */
export function headerLines(rawHeaders: readonly string[], name: string): string[] {
  const lines: string[] = []
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const key = rawHeaders[index]
    if (key?.length === name.length && key.toLowerCase() === name) lines.push(rawHeaders[index + 1] ?? '')
  }
  return lines
}
