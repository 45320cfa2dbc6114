/**
 * A directory with the home directory as `~`. The page does not know whose home it is, so any home is taken for
 * it; the whole path stands in the hover.
 */
export function shortenPath(path: string): string {
  return path.replace(/^(?:\/(?:home|Users)\/[^/]+|\/root)(?=\/|$)/, '~')
}
