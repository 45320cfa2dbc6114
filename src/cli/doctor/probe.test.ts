import { chmodSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestDaemon, type TestDaemon } from '../../../test/fixtures/daemon.ts'
import { wiringOptionsOf } from '../../../test/fixtures/doctor.ts'
import { verifies } from '../../../test/requirements.ts'
import { wireClaude, type WireClaudeOptions } from '../../agents/claude/wire.ts'
import type { Contact } from '../../protocol/index.ts'
import { callDaemon } from '../control-client.ts'
import { readContext } from './context.ts'
import { runDoctor } from './run.ts'

let daemon: TestDaemon
let options: WireClaudeOptions
beforeEach(async () => {
  daemon = await openTestDaemon()
  options = { ...wiringOptionsOf({ homeDir: daemon.userHome, home: daemon.home }), env: {} }
})
afterEach(() => daemon.close())

/** What became of the test hooks of Claude Code, in a line each. */
async function probe(env: Record<string, string> = {}): Promise<string[]> {
  const context = await readContext({
    env: { PATH: '/usr/bin:/bin', HOME: daemon.userHome, ...env },
    cwd: join(daemon.userHome, 'work'),
    homeDir: daemon.userHome,
  })
  const { checks } = await runDoctor(context, { agents: ['claude'], probe: true })
  return checks
    .filter(({ id }) => id.startsWith('claude.probe'))
    .map(({ id, state, finding }) => `${id} ${state}: ${finding.replace(/\d+ ms$/, 'N ms')}`)
}

const contacts = async (): Promise<Contact[]> => (await callDaemon(daemon.home, 'contacts.list', {})).contacts
const settings = () => join(daemon.userHome, '.claude/settings.json')

function edit(change: (text: string) => string): void {
  writeFileSync(settings(), change(readFileSync(settings(), 'utf8')))
  utimesSync(settings(), 1_000_000, 1_000_000)
}

const arrived = 'claude.probe ok: A hook through the command in ~/.claude/settings.json arrived after N ms'

describe('the command in the settings', () => {
  test('brings a hook in, and leaves one contact behind, which is offline', async () => {
    await wireClaude(options)
    expect(await probe()).toEqual([arrived])
    expect(await probe()).toEqual([arrived])
    expect(await contacts()).toMatchObject([
      { agent: 'claude', status: 'offline', directory: join(daemon.home, 'doctor') },
    ])
    const { entries } = await callDaemon(daemon.home, 'history.page', { kind: 'notification' })
    expect(entries).toMatchObject([
      { session_id: expect.stringMatching(/^bridge-doctor-/), event: { text: 'A test of bridge doctor' } },
      {},
    ])
  })

  test('disturbs no agent whose terminal or process this is', async () => {
    await wireClaude(options)
    const answer = await daemon.call('/hooks/claude', {
      method: 'POST',
      headers: { 'x-bridge-agent-pid': '4711', 'x-bridge-pane': '/tmp/tmux-0/default,%3' },
      body: { session_id: 'real', cwd: '/srv/api', hook_event_name: 'UserPromptSubmit', prompt: 'hello' },
    })
    expect(answer.status).toBe(204)
    const [before] = await contacts()
    expect(before).toMatchObject({ status: 'live', health: 'working' })
    const pane = { TMUX: '/tmp/tmux-0/default,1,0', TMUX_PANE: '%3' }
    const env = { CLAUDE_PID: '4711', BRIDGE_CONTACT: before?.id ?? '', ...pane }
    // The token of a pane speaks for the pane's contact, whatever else a hook says.
    const token = await daemon.createToken(['ingest'], [before?.id ?? ''])
    expect(await probe({ ...env, BRIDGE_TOKEN: token })).toEqual([arrived])
    expect((await contacts()).find(({ id }) => id === before?.id)).toEqual(before)
  })

  test('runs as the agent would run it: with the variables of its settings', async () => {
    await wireClaude(options)
    edit((text) => text.replace('{', '{ "env": { "BRIDGE_HOME": "/nowhere" },'))
    const [line = ''] = await probe()
    expect(line).toMatch(
      /^claude\.probe problem: .* did not arrive: no token is set; .* there is no \/nowhere$/,
    )
  })

  test('that fails is told with what it said', async () => {
    await wireClaude(options)
    edit((text) => text.replaceAll('LC_ALL=C exec /usr/bin/perl', 'echo oh no >&2; exit 3;'))
    expect(await probe()).toEqual([
      'claude.probe problem: A hook through the command in ~/.claude/settings.json did not arrive: its command ended with 3: oh no',
    ])
  })

  test('that says a secret of its settings does not say it here' + verifies('B54'), async () => {
    await wireClaude(options)
    edit((text) =>
      text
        .replace('{', '{ "env": { "MY_API_KEY": "the-key-of-somebody" },')
        .replaceAll('LC_ALL=C exec /usr/bin/perl', 'echo key $MY_API_KEY >&2; exit 1;'),
    )
    expect((await probe())[0]).toMatch(/ did not arrive: its command ended with 1: key \[redacted\]$/)
  })

  test('that leads to another bridge is found', async () => {
    await using other = await openTestDaemon()
    await wireClaude({ ...options, bridgeHome: other.home })
    expect(await probe()).toEqual([
      'claude.probe problem: A hook through the command in ~/.claude/settings.json did not arrive within 2 s, and nothing was said about it: it may have gone to another bridge',
    ])
    const { contacts: theirs } = await callDaemon(other.home, 'contacts.list', {})
    expect(theirs).toMatchObject([{ status: 'offline' }])
  })

  test('whose token the bridge does not know is found', async () => {
    await wireClaude(options)
    const forward = join(daemon.home, 'forward')
    chmodSync(forward, 0o600)
    writeFileSync(forward, readFileSync(forward, 'utf8').replace(/^token=.*/m, 'token=brt_0000'))
    expect(await probe()).toEqual([
      `claude.probe problem: A hook through the command in ~/.claude/settings.json did not arrive: ${daemon.url} refused the hook with 401`,
    ])
  })

  test('in its own form, with arguments and without a shell, works too', async () => {
    await wireClaude(options)
    edit((text) =>
      text.replaceAll(
        /"command": "test [^"]*"/g,
        `"command": "/usr/bin/perl", "args": ["${options.forwarderDir}/hook.pl", "claude"]`,
      ),
    )
    expect(await probe()).toEqual([arrived])
  })
})

describe('hooks that Claude Code posts itself', () => {
  const posted = () =>
    `claude.probe-2 ok: A hook posted to ${new URL(daemon.url).host}, as ~/.claude/settings.json says, arrived after N ms`
  const started = 'claude.probe ok: A hook through the command in ~/.claude/settings.json arrived after N ms'

  beforeEach(async () => {
    await wireClaude({ ...options, http: true })
  })

  test('arrive with a token in its environment, or in its settings', async () => {
    const token = await daemon.createToken(['ingest'])
    expect((await probe({ BRIDGE_TOKEN: token })).sort()).toEqual([started, posted()])
    edit((text) => text.replace('{', `{ "env": { "BRIDGE_TOKEN": "${token}" },`))
    expect((await probe()).sort()).toEqual([started, posted()])
    expect((await contacts()).map(({ status }) => status)).toEqual(['offline'])
  })

  test('are refused without one', async () => {
    expect((await probe())[1]).toMatch(
      /^claude\.probe-2 problem: A hook posted .* did not arrive: it was answered with 401$/,
    )
  })

  test('are not tried from a pane, whose token is for its contact', async () => {
    expect((await probe({ BRIDGE_CONTACT: 'x', BRIDGE_TOKEN: 'y-token' }))[1]).toMatch(
      /^claude\.probe-2 unverified: /,
    )
  })
})
