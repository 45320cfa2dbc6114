import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../requires.ts'
import { openBridge, type TestBridge } from './bridge.ts'
import { openPage, type TestPage } from './browser.ts'

describeWith('chromium')('the dashboard follows real hooks', () => {
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

  const session = { id: 'sess1', directory: '/home/dev/api' }
  const bash = {
    tool_name: 'Bash',
    tool_input: { command: 'npm publish --access public' },
    tool_use_id: 'toolu_1',
  }

  test('before anything happened it says what to do', async () => {
    await opened.page.getByText('bridge wire claude').waitFor()
    expect(await opened.page.title()).toBe('Agent Bridge')
  })

  test('an agent appears with its directory, and works', async () => {
    const { page } = opened
    await bridge.hook(session, 'SessionStart', { source: 'startup' })
    const agent = page.locator('.agent[data-contact]')
    await agent.getByText('~/api').waitFor()
    await agent.getByText('claude', { exact: true }).waitFor()
    await bridge.hook(session, 'UserPromptSubmit', { prompt: 'cut the release' })
    await agent.getByText('working').waitFor()
    await page.locator('.row.is-prompt').getByText('cut the release').waitFor()
    await bridge.hook(session, 'PreToolUse', bash)
    await agent.getByText('npm publish --access public').waitFor()
    await page.locator('.row.is-turn').getByText('npm publish --access public').waitFor()
    expect(await agent.count()).toBe(1)
  })

  test('who asks is first, amber, in the title and in the icon of the tab', async () => {
    const { page } = opened
    await bridge.hook({ id: 'sess2', directory: '/home/dev/web' }, 'SessionStart', { source: 'startup' })
    await page.locator('.agent[data-contact]').nth(1).waitFor()
    await bridge.hook(session, 'PermissionRequest', { ...bash, tool_use_id: undefined })
    await page.waitForFunction(() => document.title === '◆ 1 · Agent Bridge')
    const first = page.locator('.agent[data-contact]').first()
    await first.getByText('asks').waitFor()
    await first.getByText('~/api').waitFor()
    await page.locator('.row.is-asking').getByText('npm publish --access public').waitFor()
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toContain(
      encodeURIComponent('>1</text>'),
    )
    expect(await page.locator('[aria-live=assertive]').textContent()).toContain('asks: Bash npm publish')
  })

  test('what ended is done until its timeline was looked at', async () => {
    const { page } = opened
    await bridge.hook(session, 'PostToolUse', { ...bash, tool_response: { stdout: '+ api@2.4.0' } })
    await bridge.hook(session, 'Stop', { last_assistant_message: 'Published 2.4.0.' })
    await page.waitForFunction(() => document.title === 'Agent Bridge')
    const agent = page.locator('.agent[data-contact]', { hasText: '~/api' })
    await agent.getByText('done').waitFor()
    await page.locator('.row.is-reply').getByText('Published 2.4.0.').waitFor()
    await agent.click()
    await agent.getByText('idle').waitFor()
    await page.reload()
    await agent.getByText('idle').waitFor()
    expect(await agent.getByText('done').count()).toBe(0)
  })

  test('a contact has a timeline of its own', async () => {
    const { page } = opened
    await page.locator('.agent[data-contact]', { hasText: '~/web' }).click()
    await page.getByRole('list', { name: 'Timeline' }).getByText('session started').waitFor()
    expect(await page.locator('.row.is-reply').count()).toBe(0)
    await page.getByText('All agents').first().click()
    await page.locator('.row.is-reply').waitFor()
  })

  test('a failed tool is red and says why; a turn opens into its steps', async () => {
    const { page } = opened
    await bridge.hook(session, 'UserPromptSubmit', { prompt: 'and test it' })
    const call = { tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_use_id: 'toolu_2' }
    await bridge.hook(session, 'PreToolUse', call)
    await bridge.hook(session, 'PostToolUseFailure', { ...call, error: 'exit code 1: 2 of 61 tests failed' })
    const turn = page.locator('.row.is-turn', { hasText: '1 failure' })
    await turn.click()
    await page.locator('.row.is-step.is-problem').getByText('2 of 61 tests failed').waitFor()
    await turn.click()
    await page.locator('.row.is-step.is-problem').waitFor({ state: 'detached' })
    expect(await turn.getAttribute('class')).not.toContain('is-open')
  })

  test('the filters narrow it by kind and by words', async () => {
    const { page } = opened
    await page.getByRole('button', { name: 'Problems' }).click()
    await page.locator('.row.is-step.is-problem').waitFor()
    expect(await page.locator('.row.is-prompt').count()).toBe(0)
    await page.getByRole('button', { name: 'Everything' }).click()
    await page.getByLabel('Find in the timeline').fill('published')
    await page.locator('.row.is-reply').waitFor()
    expect(await page.locator('.row:not(.is-day):not(.is-edge)').count()).toBe(1)
    await page.getByLabel('Find in the timeline').fill('no such thing')
    await page.getByText('Nothing found here.').waitFor()
    await page.getByLabel('Find in the timeline').fill('')
  })

  test('nothing of it broke a rule of the browser or threw', () => {
    expect(opened.problems).toEqual([])
  })
})
