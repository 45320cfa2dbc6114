import { agentBridge } from './requirements/agent-bridge.ts'
import { bugCases } from './requirements/bug-cases.ts'
import { delegation } from './requirements/delegation.ts'
import { eventPlugins } from './requirements/event-plugins.ts'
import { peerPlugins } from './requirements/peer-plugins.ts'
import { covers, pending } from './requirements/pending.ts'
import { sourceText } from './requirements/sources.ts'

/** One testable promise of a seed. */
export interface Requirement {
  /** `A:http.health`: the letter of the seed and a path; a bug case is its number, `B15`. */
  id: string
  /** Document and section; two of them where `design.md` decides how the promise of a seed is kept. */
  source: string
  /** What can be observed, in our own words. */
  behaviour: string
  /** The piece of work that will build it; absent once it is built and tested. */
  pending?: string
}

/** Every document with the letter that begins its ids. */
export const seeds = [
  { file: 'agent-bridge-readme.md', letter: 'A:', places: agentBridge },
  { file: 'bridge-plugin-runtime.md', letter: 'B:', places: eventPlugins },
  { file: 'hrdx-plugin-runtime.md', letter: 'C:', places: peerPlugins },
  { file: 'bridged-wiki-diff.md', letter: 'D:', places: delegation },
  { file: 'bug-cases.md', letter: '', places: bugCases },
] as const

type Paths<Places> = { [Place in keyof Places]: keyof Places[Place] & string }[keyof Places]

/** Every id there is, so that a mistyped one fails to compile. */
export type RequirementId = (typeof seeds)[number] extends infer Seed
  ? Seed extends { letter: infer Letter extends string; places: infer Places }
    ? `${Letter}${Paths<Places>}`
    : never
  : never

/** Every requirement of the four seeds and every bug case, in the order of the documents. */
export const requirements: readonly Requirement[] = seeds.flatMap(({ file, letter, places }) =>
  Object.entries<Readonly<Record<string, string>>>(places).flatMap(([place, rows]) =>
    Object.entries(rows).map(([path, behaviour]) => {
      const id = letter + path
      const work = Object.entries(pending).find(([, marks]) => marks.some((mark) => covers(mark, id)))?.[0]
      const row = { id, source: sourceText(file, place), behaviour }
      return work === undefined ? row : { ...row, pending: work }
    }),
  ),
)

const knownIds = new Set(requirements.map((row) => row.id))

/**
 * Names the requirements a test verifies, as the end of its title: `test('…' + verifies('A:http.health'),
 * …)` is called `… [A:http.health]`. The gate reads the ids from the text of the test, so they are plain
 * strings there.
 *
 * @throws when called without an id or with one that is no requirement.
 */
export function verifies(...ids: [RequirementId, ...RequirementId[]]): string {
  if (ids.length === 0) throw new Error('verifies() needs the id of a requirement')
  const unknown = ids.filter((id) => !knownIds.has(id))
  if (unknown.length > 0) {
    throw new Error(`no requirement is called ${unknown.join(', ')}: see test/requirements/ for the ids`)
  }
  return ` [${ids.join(', ')}]`
}
