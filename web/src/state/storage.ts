/** What this browser keeps between visits. */
export type StoredName = 'bridge.token' | 'bridge.theme' | 'bridge.seen'

/** A private window or a full disk may refuse storage; the page then works for this visit. */
export function readStored(name: StoredName): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined
  } catch {
    // Without storage nothing was kept.
    return undefined
  }
}

/** Keeps a value, or drops it when there is none. */
export function writeStored(name: StoredName, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(name)
    else localStorage.setItem(name, value)
  } catch {
    // As above: this visit goes on without.
  }
}
