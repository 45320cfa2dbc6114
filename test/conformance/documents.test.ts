import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { agentEventKinds, clientFrames, routes } from '../../src/protocol/index.ts'
import { openTestDaemon, type TestDaemon } from '../fixtures/daemon.ts'
import { openFirebase } from '../fixtures/firebase.ts'
import { asFrame } from '../fixtures/frames.ts'
import { verifies } from '../requirements.ts'

const run = promisify(execFile)
const docs = resolve(import.meta.dirname, '../../docs')
const read = (name: string) => readFileSync(resolve(docs, name), 'utf8')

/** Every line of the documents that begins with curl. */
const recipes = ['http.md', 'streams.md'].flatMap((name) =>
  read(name)
    .split('\n')
    .filter((line) => line.startsWith('curl ')),
)

/** What the recipes leave for the reader to fill in. */
async function fillIn(recipe: string, bridge: TestDaemon): Promise<string> {
  let filled = recipe.replaceAll('http://127.0.0.1:8787', '$B').replaceAll('$BRIDGE_TOKEN', '$T')
  if (filled.includes('REQUEST_ID')) {
    await bridge.post('PermissionRequest', {
      session_id: 's',
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
    })
    const list = (await bridge.call('/api/permissions')).json
    const [request] = Array.isArray(list) ? list.map(asFrame) : []
    filled = filled.replace('REQUEST_ID', String(request?.['request_id']))
  }
  if (filled.includes('TOKEN_ID')) {
    const created = await bridge.call('/api/tokens', {
      method: 'POST',
      body: { name: 'x', scopes: ['read'] },
    })
    filled = filled.replace('TOKEN_ID', String(asFrame(asFrame(created.json)['token'])['id']))
  }
  return filled
}

describe('the recipes of the documents', () => {
  test('each one works as it stands' + verifies('A:http.curl-recipes'), async () => {
    await using firebase = await openFirebase()
    await using bridge = await openTestDaemon({
      env: { BRIDGE_DATABASE_URL: firebase.url, BRIDGE_AGENT_ID: 'robot' },
    })
    expect(recipes.length).toBeGreaterThan(15)
    for (const recipe of recipes) {
      // A stream does not end by itself, so curl ends it; its status came long before.
      const limited = recipe.includes('/events') ? '--max-time 1 ' : ''
      const command = `${(await fillIn(recipe, bridge)).replace('curl ', `curl -sS ${limited}-o /dev/null -w '%{http_code}' `)} || true`
      const { stdout, stderr } = await run('sh', ['-c', command], {
        env: { PATH: process.env['PATH'] ?? '', B: bridge.url, T: bridge.token },
      })
      expect([recipe, stdout.trim()]).toEqual([recipe, expect.stringMatching(/^2\d\d$/)])
      expect(limited === '' ? stderr : '').toBe('')
    }
  })

  test('there is one for every endpoint of the seed' + verifies('A:http.curl-recipes'), () => {
    const seed = [
      'health',
      'hook',
      'sendMessage',
      'readMessages',
      'state',
      'sessions',
      'permissions',
    ] as const
    const more = ['resolvePermission', 'firebaseData', 'rawCapabilities', 'rawServoHold'] as const
    for (const name of [...seed, ...more]) {
      const { method, path } = routes[name]
      const address = new RegExp(
        `\\$B${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[\\w-]+')}(?=[\\s"?]|$)`,
      )
      const found = recipes.filter(
        (recipe) => address.test(recipe) && recipe.includes(' -d ') === (method === 'POST'),
      )
      expect([path, found.length > 0]).toEqual([path, true])
    }
  })

  test(
    'the page of the controls describes every control, by HTTP and by WebSocket' + verifies('A:docs.control'),
    () => {
      const control = read('control.md')
      for (const { path } of Object.values(routes).filter(({ path }) => path.startsWith('/api/raw/')))
        expect(control).toContain(path)
      const streams = read('streams.md')
      for (const type of Object.keys(clientFrames)) expect(streams).toContain(`\`${type}\``)
    },
  )
})

describe('the pages', () => {
  test('are all reached from the index, and every link leads somewhere' + verifies('A:docs.index'), () => {
    const reached = new Set(['README.md'])
    for (const page of reached) {
      if (!page.endsWith('.md')) continue
      for (const [, target] of read(page).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)) {
        if (target === undefined || /^https?:/.test(target)) continue
        expect([page, target, existsSync(resolve(docs, target))]).toEqual([page, target, true])
        if (!target.includes('/')) reached.add(target)
      }
    }
    expect(readdirSync(docs).filter((name) => !reached.has(name))).toEqual([])
  })

  test('tell the way of a hook through files that are there' + verifies('A:docs.pipeline'), () => {
    const page = read('architecture.md')
    const way = /## What happens to a hook\n([^]*?)\n## /.exec(page)?.[1] ?? ''
    const steps = [...way.matchAll(/^\d+\. /gm)]
    expect(steps.length).toBeGreaterThan(4)
    const files = [...way.matchAll(/`([\w/-]+\.ts)`/g)].map(([, file]) => file ?? '')
    expect(files.length).toBeGreaterThan(4)
    expect(files.filter((file) => !existsSync(resolve(docs, '../src', file)))).toEqual([])
  })

  test('list exactly the kinds of events that the code knows' + verifies('A:docs.events'), () => {
    const table = /## Kinds\n([^]*?)\n## /.exec(read('events.md'))?.[1] ?? ''
    const kinds = [...table.matchAll(/^\| `([\w.]+)` \|/gm)].map(([, kind]) => kind)
    expect(kinds).toEqual(agentEventKinds)
  })
})
