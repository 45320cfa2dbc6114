import { describe, expect, test } from 'vitest'
import { verifies } from '../../requirements.ts'
import { hookTable } from '../../../src/agents/claude/hook-table.ts'
import {
  forwarders,
  Home,
  HookServer,
  inParallel,
  perlForwarder,
  RawServer,
  runForwarder,
  token,
  unusedUrl,
  type Forwarder,
} from './forwarder.ts'

/** Of the failures that take all of it; short, as many runs wait for it, and Node needs a while to start. */
const shortTimeoutOf = (forwarder: Forwarder) => (forwarder === perlForwarder ? 150 : 400)
const longTimeoutMs = 10_000
/** How much longer than its timeout a forwarder may take (bug case B22), and once in a while on a busy machine. */
const graceMs = 200
const busyGraceMs = 1_500

const inputs = {
  'broken JSON': '{"a":',
  nothing: '',
  null: 'null',
  'an array': '[]',
  'JSON after a byte order mark': '\uFEFF{"session_id":"S1","prompt":"hi"}',
  '1 MiB of NUL bytes': Buffer.alloc(1 << 20),
} as const

/** What happens to the hook: it is in the bridge's hands, or it waits in the spool. */
interface Failure {
  readonly spools: boolean
  readonly waits?: boolean
  open(): Promise<AsyncDisposable & { readonly url: string }>
}

const failures: Readonly<Record<string, Failure>> = {
  'nothing listens': {
    spools: true,
    open: async () => ({ url: await unusedUrl(), [Symbol.asyncDispose]: async () => {} }),
  },
  'it accepts but never answers': {
    spools: true,
    waits: true,
    open: () => RawServer.open((socket) => socket.resume()),
  },
  'it answers 401': { spools: false, open: () => answering(401, '{"error":"unauthorized"}') },
  'it answers 413': { spools: false, open: () => answering(413, '{"error":"body_too_large"}') },
  'it answers 500': { spools: true, open: () => answering(500, '{"error":"internal_error"}') },
  'another program answers with HTML': {
    spools: true,
    open: () => answering(200, '<h1>Hello</h1>', 'text/html'),
  },
  'the connection is reset inside the answer': {
    spools: true,
    open: () =>
      RawServer.open((socket) => {
        socket.once('data', () => {
          socket.write('HTTP/1.1 200 OK\r\nContent-Ty', () => socket.resetAndDestroy())
        })
      }),
  },
  'the daemon restarts': {
    spools: true,
    // Half of the connections are closed at once, the others when the hook has been read.
    open: () => {
      let count = 0
      return RawServer.open((socket) => {
        count += 1
        if (count % 2 === 0) socket.destroy()
        else socket.once('data', () => socket.destroy())
      })
    },
  },
}

async function answering(
  status: number,
  body: string,
  contentType = 'application/json',
): Promise<HookServer> {
  const server = await HookServer.open()
  server.answerWith({ status, body, headers: { 'content-type': contentType } })
  return server
}

const allTypes = [...new Set(hookTable.map(({ hook }) => hook))]

/** Every hook type where a run costs a few milliseconds; where it costs a tenth of a second, those that matter most. */
function hookTypesOf(forwarder: Forwarder): readonly string[] {
  return forwarder === perlForwarder ? allTypes : ['UserPromptSubmit', 'PermissionRequest']
}

test('all 34 hook types are tried', () => {
  expect(allTypes).toHaveLength(34)
})

describe.each(forwarders)('$name is silent and quick', { timeout: 120_000 }, (forwarder) => {
  test.each(Object.entries(failures))(
    'when %s' + verifies('B22', 'A:env.bridge-hook-timeout-ms', 'A:env.hook-never-blocks'),
    async (_, failure) => {
      await using server = await failure.open()
      const timeoutMs = failure.waits ? shortTimeoutOf(forwarder) : longTimeoutMs
      const problems: string[] = []
      const durationsMs: number[] = []
      const jobs = hookTypesOf(forwarder).flatMap((hookType) =>
        Object.entries(inputs).map(([input, stdin]) => async () => {
          using home = new Home()
          home.writeForward(server.url, { timeout_ms: timeoutMs })
          const result = await runForwarder(forwarder, home.path, { args: ['claude', hookType], stdin })
          const { code, stdout, stderr, durationMs } = result
          const posted = stdin.length > 0
          const asPromised =
            code === 0 &&
            stdout === '' &&
            (posted ? /^agent-bridge: [^\n]+\n$/ : /^$/).test(stderr) &&
            !stderr.includes(token) &&
            durationMs <= timeoutMs + busyGraceMs &&
            home.spooled().length === (failure.spools && posted ? 1 : 0)
          if (!asPromised) problems.push(`${hookType}, ${input}: ${JSON.stringify(result)}`)
          durationsMs.push(durationMs)
        }),
      )
      await inParallel(3, jobs)
      expect(problems).toEqual([])
      const median = durationsMs.toSorted((a, b) => a - b)[Math.floor(durationsMs.length / 2)]
      expect(median).toBeLessThanOrEqual(timeoutMs + graceMs)
    },
  )

  test('when Perl is set up strangely or HOME is missing' + verifies('B22'), async () => {
    using home = new Home()
    await using server = await HookServer.open()
    home.writeForward(server.url)
    const result = await runForwarder(forwarder, home.path, {
      stdin: '{"hook_event_name":"Stop","last_assistant_message":"\u{1F44B}"}',
      env: { PERL_UNICODE: 'SDA', PERLIO: ':utf8', PERL5OPT: '-Mutf8', HOME: '' },
    })
    expect(result).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expect(server.received[0]?.body.toString()).toContain('\u{1F44B}')
  })

  test('when its home cannot be written' + verifies('B22'), async () => {
    using home = new Home()
    home.writeForward(await unusedUrl())
    home.blockSpool()
    const result = await runForwarder(forwarder, home.path, { stdin: '{"hook_event_name":"Stop"}' })
    expect(result).toMatchObject({ code: 0, stdout: '' })
    expect(result.stderr).toMatch(/^agent-bridge: .* could not be spooled[^\n]*\n$/)
  })
})
