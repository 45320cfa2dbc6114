import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../requires.ts'
import { openBridge, type TestBridge } from './bridge.ts'
import { openPage, type TestPage } from './browser.ts'

describeWith('chromium')('everything is within reach of the keyboard', () => {
  let bridge: TestBridge
  let opened: TestPage
  beforeAll(async () => {
    bridge = await openBridge()
    const session = { id: 's1', directory: '/home/dev/api' }
    await bridge.hook(session, 'SessionStart', { source: 'startup' })
    for (const [index, prompt] of ['one', 'two', 'three'].entries()) {
      const call = {
        tool_name: 'Read',
        tool_input: { file_path: `/src/${prompt}.ts` },
        tool_use_id: `t${index}`,
      }
      await bridge.hook(session, 'UserPromptSubmit', { prompt })
      await bridge.hook(session, 'PreToolUse', call)
      await bridge.hook(session, 'PostToolUse', { ...call, tool_response: { content: 'x' } })
      await bridge.hook(session, 'Stop', { last_assistant_message: `answer ${prompt}` })
    }
    opened = await openPage()
    await opened.page.goto(await bridge.link())
    await opened.page.getByText('answer three').first().waitFor()
  })
  afterAll(async () => {
    await opened[Symbol.asyncDispose]()
    await bridge[Symbol.asyncDispose]()
  })

  const press = async (...keys: string[]) => {
    for (const key of keys) await opened.page.keyboard.press(key)
  }
  /** The text of what has the keyboard. */
  const focused = () => opened.page.evaluate(() => document.activeElement?.textContent ?? '')

  test('the first tab stop skips to the timeline', async () => {
    await press('Tab')
    expect(await focused()).toBe('Skip to the timeline')
    await press('Enter')
    expect(await opened.page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      'Timeline',
    )
    expect(new URL(opened.page.url()).hash).toBe('')
  })

  test('j and k walk the rows from where the reader looks', async () => {
    await press('j')
    expect(await focused()).toContain('answer three')
    await press('k')
    expect(await focused()).toContain('1 step')
    await press('k')
    expect(await focused()).toContain('three')
    await press('ArrowDown')
    expect(await focused()).toContain('1 step')
  })

  test('Enter opens a turn and closes it', async () => {
    await press('Enter')
    await press('j')
    expect(await focused()).toContain('Read')
    await press('Enter')
    await opened.page.locator('.details').getByText('file.read').waitFor()
    await press('k', 'Enter')
    await opened.page.locator('.details').waitFor({ state: 'detached' })
    expect(await opened.page.locator('.row.at-1').count()).toBe(0)
  })

  test('g and G go to the ends', async () => {
    await press('g')
    expect(await focused()).toContain('session started')
    await press('G')
    expect(await focused()).toContain('answer three')
  })

  test('h and l change columns, Enter shows an agent, Esc goes back', async () => {
    await press('h')
    expect(await focused()).toContain('All agents')
    await press('j')
    expect(await focused()).toContain('~/api')
    await press('Enter')
    await opened.page.getByRole('heading', { level: 1 }).getByText('~/api').waitFor()
    expect(await opened.page.locator('.agent[aria-selected=true]').textContent()).toContain('~/api')
    await press('Escape', 'Escape')
    await opened.page.getByRole('heading', { name: 'All agents' }).waitFor()
  })

  test('/ finds, Esc forgets what was looked for', async () => {
    await press('/')
    await opened.page.keyboard.type('answer two')
    await opened.page.locator('.row.is-reply').waitFor()
    expect(await opened.page.locator('.row.is-reply').count()).toBe(1)
    await press('Escape')
    await opened.page.locator('.row.is-prompt', { hasText: 'one' }).waitFor()
    expect(await opened.page.getByLabel('Find in the timeline').inputValue()).toBe('')
  })

  test('f goes through the filters, s shows all steps', async () => {
    const pressed = () => opened.page.locator('.groups [aria-pressed=true]').textContent()
    const seen: (string | null)[] = []
    for (let turn = 0; turn < 6; turn += 1) {
      await press('f')
      seen.push(await pressed())
    }
    expect(seen).toEqual(['Messages', 'Tools', 'Permissions', 'Sessions', 'Problems', 'Everything'])
    await press('s')
    await opened.page.locator('.row.at-1').nth(2).waitFor()
    await press('s')
    await opened.page.locator('.row.at-1').first().waitFor({ state: 'detached' })
  })

  test('? lists the keys, and Esc closes the list', async () => {
    await press('?')
    const dialog = opened.page.getByRole('dialog', { name: 'Keys' })
    await dialog.waitFor()
    await press('j')
    expect(await dialog.isVisible()).toBe(true)
    await press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  })

  test('what has the keyboard is marked', async () => {
    await press('h', 'j')
    const outline = await opened.page.evaluate(() => {
      const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement ?? document.body)
      return `${outlineStyle} ${outlineWidth}`
    })
    expect(outline).toBe('solid 2px')
    expect(opened.problems).toEqual([])
  })
})
