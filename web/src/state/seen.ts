import { signal } from '@preact/signals'
import { readStored, writeStored } from './storage.ts'

interface Stored {
  /** Places of another log mean nothing here. */
  readonly epoch: string
  readonly seen: Readonly<Record<string, number>>
}

/** How far each contact's timeline was looked at in this browser, by contact id. */
export const seen = signal<Readonly<Record<string, number>>>({})

let currentEpoch = ''

/** Loads what this browser saw of the log of `epoch`. */
export function loadSeen(epoch: string): void {
  currentEpoch = epoch
  const stored = parse(readStored('bridge.seen'))
  seen.value = stored?.epoch === epoch ? stored.seen : {}
}

/** Notes that everything of a contact up to `seq` was looked at. */
export function markSeen(contact: string, seq: number): void {
  if ((seen.value[contact] ?? 0) >= seq) return
  seen.value = { ...seen.value, [contact]: seq }
  writeStored('bridge.seen', JSON.stringify({ epoch: currentEpoch, seen: seen.value } satisfies Stored))
}

function parse(text: string | undefined): Stored | undefined {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    return isStored(value) ? value : undefined
  } catch {
    // Somebody else wrote it: as good as nothing.
    return undefined
  }
}

function isStored(value: unknown): value is Stored {
  return (
    typeof value === 'object' &&
    value !== null &&
    'epoch' in value &&
    typeof value.epoch === 'string' &&
    'seen' in value &&
    typeof value.seen === 'object' &&
    value.seen !== null &&
    Object.values(value.seen).every((seq) => typeof seq === 'number')
  )
}
