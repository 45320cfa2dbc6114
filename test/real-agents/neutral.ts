import type { PrivateHome } from './private-home.ts'

/**
 * Makes what one run recorded independent of that run and this machine: paths of an imaginary developer, ids
 * numbered in order of appearance, times and durations fixed. Equal ids stay equal across all payloads of a run.
 */
export function createNeutralizer({ root, home, project, tmp }: PrivateHome): (value: unknown) => unknown {
  const paths: [string, string][] = [
    [slug(project), '-home-dev-project'],
    [slug(home), '-home-dev'],
    [project, '/home/dev/project'],
    [home, '/home/dev'],
    [tmp, '/tmp/dev'],
  ]
  const uuids = numbering((count) => `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`)
  // OpenCode: a word for the kind of thing, and twenty-six signs.
  const wordIds = numbering((count) => `_${String(count).padStart(26, '0')}`)
  const agentIds = numbering((count) => `a${String(count).padStart(16, '0')}`)

  function text(value: string): string {
    const placed = paths.reduce((changed, [from, to]) => changed.replaceAll(from, to), value)
    return placed
      .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, uuids)
      .replaceAll(/\ba[0-9a-f]{16}\b/g, agentIds)
      .replaceAll(/(?<=\b(?:ses|msg|prt|evt|per|que))_[0-9A-Za-z]{26}\b/g, wordIds)
      .replaceAll(/session-\d{4}-\d\d-\d\dT\d\d-\d\d-[0-9a-f]{8}/g, 'session-2026-01-01T00-00-00000000')
      .replaceAll(
        /\/sessions\/\d{4}\/\d\d\/\d\d\/rollout-[\dT-]{19}-/g,
        '/sessions/2026/01/01/rollout-2026-01-01T00-00-00-',
      )
      .replaceAll(/Chunk ID: [0-9a-f]{6}\nWall time: [\d.]+/g, 'Chunk ID: 000000\nWall time: 0.1')
      .replaceAll(/Today's date is [^.]*? \(/g, "Today's date is Thursday, January 1, 2026 (")
      .replaceAll(/\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT/g, 'Thu, 01 Jan 2026 00:00:00 GMT')
      .replaceAll(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-01-01T00:00:00.000Z')
      .replaceAll(/(<(?:duration_ms|subagent_tokens|total_tokens)>)\d+/g, '$1100')
      .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:4000')
      .replaceAll(/\/claude-\d+\//g, '/claude-1000/')
  }

  function neutral(value: unknown, name = ''): unknown {
    if (typeof value === 'string') return text(value)
    if (typeof value === 'number') return number(value, name)
    if (Array.isArray(value)) return value.map((item) => neutral(item))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, neutral(inner, key)]))
  }

  return (value) => {
    const result = neutral(value)
    if (JSON.stringify(result).includes(root)) throw new Error(`A path of this machine is left: ${root}`)
    return result
  }
}

/** The name Claude Code gives the folder of a project: every sign but letters and digits becomes a hyphen. */
function slug(path: string): string {
  return path.replaceAll(/[^A-Za-z0-9]/g, '-')
}

function numbering(format: (count: number) => string): (id: string) => string {
  const known = new Map<string, string>()
  return (id) => {
    const name = known.get(id) ?? format(known.size + 1)
    known.set(id, name)
    return name
  }
}

// Milliseconds since the epoch, from 2020 to 2065.
const isTime = (value: number) => value > 1_577_836_800_000 && value < 3_000_000_000_000

function number(value: number, name: string): number {
  if (isTime(value)) return 1_767_225_600_000
  return /duration|elapsed|seconds_since|tokens/i.test(name) ? 100 : value
}
