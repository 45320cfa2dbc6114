import { isSame, type Asked } from './records.ts'

/** How late the start of an activity may come after its end; both are posted within milliseconds of each other. */
const lateStartMs = 10_000
const maxLost = 100

/** The other hooks of uses of tools that have no ids: of each one hook may still come, and tells nothing new. */
export class LateHooks {
  #starts: (Asked & { readonly until: number })[] = []
  #ends: Asked[] = []

  /** The end came first. */
  expectStart(call: Asked, at: number): void {
    this.#starts.push({ ...call, until: at + lateStartMs })
  }

  /** The activity was closed without its end. */
  expectEnd(call: Asked): void {
    this.#ends = [...this.#ends, call].slice(-maxLost)
  }

  /** Whether this is the late start of an activity whose end came first; each is expected once. */
  takeStart(call: Asked, at: number): boolean {
    this.#starts = this.#starts.filter((expected) => at <= expected.until)
    return take(this.#starts, call)
  }

  /** Whether this is the late end of an activity that was closed without it; each is expected once. */
  takeEnd(call: Asked): boolean {
    return take(this.#ends, call)
  }

  forgetStarts(): void {
    this.#starts = []
  }

  forgetEnds(): void {
    this.#ends = []
  }
}

function take(list: Asked[], call: Asked): boolean {
  const index = list.findIndex((expected) => isSame(expected, call))
  if (index < 0) return false
  list.splice(index, 1)
  return true
}
