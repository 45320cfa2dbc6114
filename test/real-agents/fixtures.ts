import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { asHookPayload, type HookPayload } from './recorder.ts'

/** Recorded hooks of one version of an agent. */
export interface Recording {
  version: string
  /** Every hook event that version accepts in its settings, seen or not. */
  events: string[]
  /** What came in each scenario, in order. */
  scenarios: Map<string, HookPayload[]>
}

const EVENTS_FILE = 'hook-events.json'

const staging = join(import.meta.dirname, '.recorded')

/** Where an agent's recordings stand in the repository: `<version>/<scenario>/NN-<HookEvent>.json`. */
export function fixturesOf(agent: string): string {
  return fileURLToPath(new URL(`../fixtures/payloads/${agent}/`, import.meta.url))
}

/** The newest version that was recorded; undefined when there is none. */
export async function lastRecordedVersion(folder: string): Promise<string | undefined> {
  if (!existsSync(folder)) return undefined
  const versions = (await readdir(folder)).filter((name) => /^\d/.test(name))
  return versions.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true })).at(-1)
}

export async function readRecording(folder: string, version: string): Promise<Recording> {
  const place = join(folder, version)
  const events = z.array(z.string()).parse(await readJson(join(place, EVENTS_FILE)))
  const scenarios = new Map<string, HookPayload[]>()
  for (const entry of await readdir(place, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue
    const names = (await readdir(join(place, entry.name))).toSorted()
    const payloads = names.map((name) => readJson(join(place, entry.name, name)))
    scenarios.set(entry.name, (await Promise.all(payloads)).map(asHookPayload))
  }
  return { version, events, scenarios }
}

/** Writes a recording in place of what stood there for its version: all of it or nothing. */
export async function writeRecording(folder: string, recording: Recording): Promise<void> {
  const place = join(folder, recording.version)
  // Not tracked by git: what a killed run leaves there is nobody's fixture.
  await mkdir(staging, { recursive: true })
  const work = await mkdtemp(join(staging, 'recording-'))
  await writeJson(join(work, EVENTS_FILE), recording.events)
  for (const [scenario, payloads] of recording.scenarios) {
    await mkdir(join(work, scenario))
    for (const [index, payload] of payloads.entries()) {
      const number = String(index + 1).padStart(2, '0')
      await writeJson(join(work, scenario, `${number}-${payload.hook_event_name}.json`), payload)
    }
  }
  await mkdir(folder, { recursive: true })
  await rm(place, { recursive: true, force: true })
  await rename(work, place)
}

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, 'utf8'))
}

function writeJson(path: string, value: unknown): Promise<void> {
  return writeFile(path, `${JSON.stringify(value, undefined, 2)}\n`)
}
