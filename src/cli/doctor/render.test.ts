import { expect, test } from 'vitest'
import { DoctorHome } from '../../../test/fixtures/doctor.ts'
import { styleFor } from '../style.ts'
import { checksOf } from './check.ts'
import { renderReport } from './render.ts'
import { withoutSecrets } from './secrets.ts'

const plain = styleFor({})
const machine = checksOf('machine')
const claude = checksOf('claude')
const checks = [
  machine.ok('node', 'Node is fine'),
  machine.warning('disk', 'Little is free', 'df -h'),
  claude.ok('program', 'Version 1.2.3'),
  claude.problem('wiring', 'Its settings\nare \u001b[31mred', 'bridge wire claude'),
  claude.skipped('probe', 'Its hooks were not tried'),
  checksOf('cursor').unverified('support', 'Nobody knows'),
  checksOf('codex').skipped('program', 'It is not found'),
  checksOf('gemini').skipped('program', 'It is not found'),
]

test('groups what was found by subject, with what to do under it', () => {
  expect(renderReport({ ok: false, checks }, plain).split('\n')).toEqual([
    'This machine',
    '  ✓ Node is fine',
    '  ! Little is free',
    '    → df -h',
    '',
    'Claude Code',
    '  ✓ Version 1.2.3',
    '  ✗ Its settings⏎ are ␛[31mred',
    '    → bridge wire claude',
    '  · Its hooks were not tried',
    '',
    'Cursor',
    '  ? Nobody knows',
    '',
    'Not on this machine: Codex, Gemini CLI',
    '',
    '1 problem, 1 warning.',
  ])
})

test('says so when nothing is wrong, and colours only a terminal', () => {
  const fine = checks.filter(({ state }) => state === 'ok')
  expect(renderReport({ ok: true, checks: fine }, plain)).toMatch(/\n\nNothing is wrong\.$/)
  expect(renderReport({ ok: true, checks: fine }, styleFor({ isTTY: true }, {}))).toContain(
    '\u001b[32m✓\u001b[0m',
  )
})

test('a secret that a check would pass on is taken out', async () => {
  using home = new DoctorHome()
  home.makeHome()
  home.write('.bridge/token', 'the "token" of/the+file\n'.replaceAll(' ', '-'))
  home.write('.bridge/forward', 'url=http://127.0.0.1:1\ntoken=forward-secret\n')
  const context = await home.context({ BRIDGE_TOKEN: 'secret-of-the-environment' })
  const said = [
    'token forward-secret',
    'token secret-of-the-environment',
    `token brt_${'0'.repeat(64)}`,
    `key sk-ant-${'x'.repeat(30)}`,
  ]
  const found = withoutSecrets(
    said.map((text, index) => machine.problem(`t${index}`, text, text)),
    context,
  )
  expect(found.map(({ finding }) => finding)).toEqual(said.map((text) => `${text.split(' ')[0]} [redacted]`))
  expect(found.every(({ finding, remedy }) => finding === remedy)).toBe(true)
  const other = await home.context()
  expect(withoutSecrets([machine.ok('t', 'it is the-"token"-of/the+file')], other)[0]?.finding).toBe(
    'it is [redacted]',
  )
})
