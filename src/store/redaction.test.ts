import { performance } from 'node:perf_hooks'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRedaction, redactedText } from './redaction.ts'
import patterns from './redaction-patterns.json' with { type: 'json' }

const redact = createRedaction()
/** A text as it stands in a frame, redacted, and read again. */
function passThrough(text: string): string {
  const frame: { text: string } = JSON.parse(redact(JSON.stringify({ text })))
  return frame.text
}

const a = (length: number) => 'aB3dE5gH7jK9'.repeat(20).slice(0, length)
const glue = (...parts: string[]) => parts.join('')
const upper = 'ABCDEFGHIJKLMNOP'
// Put together from parts, so that no scanner takes this file for a leak.
const begin = (kind: string) => glue('-----BEGIN ', kind, 'PRIVATE ', 'KEY-----')
const end = (kind: string) => glue('-----END ', kind, 'PRIVATE ', 'KEY-----')
const part = glue('ey', 'J', a(20))
const jwt = [part, part, a(30)].join('.')

/** Per pattern: texts that hold a secret, and what must be left of them; and texts that only look like it. */
const cases: Record<string, { hits: [text: string, left: string][]; misses: string[] }> = {
  'private key': {
    hits: [
      [`x ${begin('RSA ')}\nMIIE\n${a(60)}\n${end('RSA ')} y`, 'x [redacted] y'],
      [`${begin('')}\nabc\n${end('')}`, '[redacted]'],
      [`cut off: ${begin('OPENSSH ')}\nabc`, 'cut off: [redacted]'],
      [`echo "${begin('')}\nabc\n${end('')}" > key`, 'echo "[redacted]" > key'],
    ],
    misses: ['-----BEGIN PUBLIC KEY-----\nabc\n-----END PUBLIC KEY-----', 'the PRIVATE KEY of the house'],
  },
  'anthropic key': {
    hits: [[glue('key sk', '-ant-api03-', a(40), '!'), 'key [redacted]!']],
    misses: ['sk-ant-short', 'ask-ant-colonies-how-they-find-food-in-spring'],
  },
  'openai key': {
    hits: [
      [glue('sk', '-', a(48)), '[redacted]'],
      [glue('sk', '-proj-', a(48), ','), '[redacted],'],
    ],
    misses: ['sk-short', 'task-force-for-the-improvement-of-things', 'disk-usage-over-the-last-twenty-days'],
  },
  'github token': {
    hits: [
      [glue('gh', 'p_', a(36)), '[redacted]'],
      [glue('github', '_pat_', a(60), ' x'), '[redacted] x'],
    ],
    misses: ['ghp_short', 'github_pattern_of_something'],
  },
  'gitlab token': { hits: [[glue('glpat', '-', a(20)), '[redacted]']], misses: ['glpat-short'] },
  'aws access key': {
    hits: [[glue('id=AK', 'IA', upper, ';'), 'id=[redacted];']],
    misses: [glue('AK', 'IA', upper.toLowerCase()), glue('AK', 'IA', upper, 'XYZ'), 'ASIA is a continent'],
  },
  'google key': { hits: [[glue('AI', 'za', a(35)), '[redacted]']], misses: ['AIzashort'] },
  'slack token': {
    hits: [[glue('xox', 'b-123456789012-', a(12)), '[redacted]']],
    misses: ['xoxb-1', 'xoxo-kisses-and-hugs'],
  },
  'stripe key': {
    hits: [[glue('sk', '_live_', a(24)), '[redacted]']],
    misses: ['sk_live_x', 'task_test_of_something_long_enough'],
  },
  'npm token': {
    hits: [[glue('npm', '_', a(36)), '[redacted]']],
    misses: ['npm_config_registry', 'npm_lifecycle_event'],
  },
  'hugging face token': {
    hits: [[glue('hf', '_', a(34)), '[redacted]']],
    misses: ['hf_hub_download', 'half_of_what_is_said_here_is_long'],
  },
  'bridge token': {
    hits: [[glue('brt', '_', '0123456789abcdef'.repeat(4)), '[redacted]']],
    misses: ['brt_short', 'brt_0123456789abcdef'],
  },
  'json web token': {
    hits: [[`Cookie: s=${jwt}`, 'Cookie: s=[redacted]']],
    misses: ['eyJhbGciOi', [part, a(20), a(30)].join('.')],
  },
  'password in a url': {
    hits: [
      ['postgres://admin:hunter2@db.example/x', 'postgres://admin:[redacted]@db.example/x'],
      ['https://u:p%40ss@h', 'https://u:[redacted]@h'],
    ],
    misses: ['http://127.0.0.1:8787/ws', 'mail to a:b@example', 'https://example/a:b@c'],
  },
  'authorization header': {
    hits: [
      [`Authorization: Bearer ${a(20)}`, 'Authorization: Bearer [redacted]'],
      [`-H "authorization: Basic ${a(20)}="`, '-H "authorization: Basic [redacted]"'],
      [`{"Authorization":"Bearer ${a(20)}"}`, '{"Authorization":"Bearer [redacted]"}'],
    ],
    misses: ['Authorization: Bearer $BRIDGE_TOKEN', 'authorization is a hard problem'],
  },
  'assigned secret': {
    hits: [
      ['export API_KEY=abcdef123456', 'export API_KEY=[redacted]'],
      ['DB_PASSWORD="correct horse"', 'DB_PASSWORD="[redacted] horse"'],
      ["client_secret = 's3cr3t-value'", "client_secret = '[redacted]'"],
      ['?access_token=abcdef123456&x=1', '?access_token=[redacted]&x=1'],
    ],
    misses: ['MAX_TOKENS: 4096', 'the password is short', 'TOKEN=$TOKEN', 'PASSWORD=', 'token=abc'],
  },
}

describe('redaction', () => {
  test('every pattern has its cases', () => {
    expect(Object.keys(cases).sort()).toEqual(patterns.map(({ name }) => name).sort())
  })

  const hits = Object.entries(cases).flatMap(([name, { hits }]) =>
    hits.map(([text, left]) => [name, text, left] as const),
  )
  test.each(hits)('%s: %s', (_name, text, left) => {
    expect(passThrough(text)).toBe(left)
  })

  const misses = Object.entries(cases).flatMap(([name, { misses }]) =>
    misses.map((text) => [name, text] as const),
  )
  test.each(misses)('no %s: %s', (_name, text) => {
    expect(passThrough(text)).toBe(text)
  })

  test('a secret is found wherever it stands in a frame, and often', () => {
    const secret = glue('gh', 'p_', a(36))
    const frame = { text: `${secret} and ${secret}`, list: [{ deep: secret }], [`k ${secret}`]: 1 }
    const redacted = redact(JSON.stringify(frame))
    expect(redacted).not.toContain(secret)
    expect(JSON.parse(redacted)).toEqual({
      text: `${redactedText} and ${redactedText}`,
      list: [{ deep: redactedText }],
      [`k ${redactedText}`]: 1,
    })
  })

  test('what is left is JSON of the same shape, whatever stands around a secret', () => {
    const secrets = Object.values(cases).flatMap(({ hits }) => hits.map(([text]) => text))
    const text = fc
      .array(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 20 }),
          fc.constantFrom(...secrets, '"', '\\', '\n', ' ', '='),
        ),
        {
          maxLength: 8,
        },
      )
      .map((parts) => parts.join(''))
    const shape = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(shape)
      if (typeof value !== 'object' || value === null) return typeof value
      return Object.values(value).map(shape)
    }
    fc.assert(
      fc.property(
        fc.array(fc.record({ a: text, b: fc.array(text, { maxLength: 3 }), n: fc.integer() })),
        (value) => {
          const json = JSON.stringify(value)
          const redacted: unknown = JSON.parse(redact(json))
          expect(shape(redacted)).toEqual(shape(value))
        },
      ),
      { numRuns: 300 },
    )
  })

  test('what was redacted once stays as it is', () => {
    for (const [, text] of hits) {
      const once = passThrough(text)
      expect(passThrough(once)).toBe(once)
    }
  })

  test('a frame without a secret costs next to nothing, and no text can make it slow', () => {
    const hostile = [
      'a'.repeat(100_000),
      'x://'.repeat(20_000),
      'a://b:'.repeat(15_000),
      glue('TOKEN'.repeat(18_000), '='),
      'TOKEN_='.repeat(14_000),
      begin('').repeat(3_000),
      'eyJaaaaaaaaaaaaaaaaaaaa.'.repeat(4_000),
      glue('Authorization: ', 'Bearer '.repeat(14_000)),
      'sk-'.repeat(33_000),
    ]
    const slow = hostile.filter((text) => {
      const json = JSON.stringify({ text })
      const startedAt = performance.now()
      redact(json)
      return performance.now() - startedAt > 500
    })
    expect(slow.map((text) => text.slice(0, 40))).toEqual([])
  })
})
