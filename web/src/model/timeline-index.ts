import type { LogEntry } from '../../../src/protocol/index.ts'
import type { StepIndex, StepPlace } from './apply-event.ts'
import type { Item, Step, Turn } from './steps.ts'

/** Where in a timeline what goes on with something finds it. */
export class TimelineIndex {
  /** Turns by lane and turn id. */
  readonly turns = new Map<string, Turn>()
  /** The running turn of each lane. */
  readonly running = new Map<string, Turn>()
  /** Steps by lane and name; requests have one name in all lanes. */
  readonly places = new Map<string, StepPlace>()
  /** What happened last in each lane. */
  readonly lastItems = new Map<string, Item>()

  clear(): void {
    for (const map of [this.turns, this.running, this.places, this.lastItems]) map.clear()
  }

  /** The steps of a lane; those that are new belong to `item`. */
  stepsOf(lane: string, item: Item): StepIndex {
    const remember = (key: string, step: Step) => void this.places.set(key, { step, item })
    return {
      find: (name) => this.places.get(`${lane}/${name}`),
      remember: (name, step) => remember(`${lane}/${name}`, step),
      findRequest: (id) => this.places.get(requestKey(id)),
      rememberRequest: (id, step) => remember(requestKey(id), step),
    }
  }

  forgetItem(item: Item): void {
    this.#forgetPlaces((place) => place.item === item)
    for (const items of [this.turns, this.running, this.lastItems]) {
      for (const [key, known] of items) if (known === item) items.delete(key)
    }
  }

  forgetStepsBefore(item: Item, seq: number): void {
    this.#forgetPlaces((place) => place.item === item && place.step.seq < seq)
  }

  #forgetPlaces(isGone: (place: StepPlace) => boolean): void {
    for (const [key, place] of this.places) if (isGone(place)) this.places.delete(key)
  }
}

/** The name of a request's step, whoever tells of it. */
export function requestKey(id: string): string {
  return `request:${id}`
}

/** Whose events belong together: a contact's, or where there is none a session's. */
export function laneOf({ contact, agent, session_id: session }: LogEntry): string {
  if (contact !== undefined) return contact
  return `${typeof agent === 'string' ? agent : ''}/${typeof session === 'string' ? session : ''}`
}
