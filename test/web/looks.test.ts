import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../requires.ts'
import { openBridge, type TestBridge } from './bridge.ts'
import { openPage, type TestPage } from './browser.ts'

describeWith('chromium')('the page on every screen', () => {
  let bridge: TestBridge
  beforeAll(async () => {
    bridge = await openBridge()
    const session = { id: 's1', directory: '/home/dev/api' }
    await bridge.hook(session, 'SessionStart', { source: 'startup' })
    await bridge.hook(session, 'UserPromptSubmit', { prompt: 'go' })
    await bridge.hook(session, 'PreToolUse', {
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
      tool_use_id: 't1',
    })
    await bridge.hook(session, 'PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'ls' } })
  })
  afterAll(() => bridge[Symbol.asyncDispose]())

  const show = async (opened: TestPage) => {
    await opened.page.goto(await bridge.link())
    await opened.page.getByText('live', { exact: true }).waitFor()
    await opened.page.locator('.agent[data-contact]').waitFor()
  }
  const ground = ({ page }: TestPage) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)

  test('follows the theme of the system, and the switch beats it and is kept', async () => {
    await using light = await openPage({ colorScheme: 'light' })
    await show(light)
    const lightGround = await ground(light)
    await using dark = await openPage({ colorScheme: 'dark' })
    await show(dark)
    const darkGround = await ground(dark)
    expect(darkGround).not.toBe(lightGround)

    await light.page.keyboard.press('t')
    expect(await ground(light)).toBe(darkGround)
    await light.page.reload()
    await light.page.locator('.agent[data-contact]').waitFor()
    expect(await ground(light)).toBe(darkGround)
    await light.page.getByRole('button', { name: 'Theme: dark' }).click()
    expect(await ground(light)).toBe(lightGround)
    await light.page.getByRole('button', { name: 'Theme: light' }).click()
    await light.page.getByRole('button', { name: 'Theme: system' }).waitFor()
    expect([...light.problems, ...dark.problems]).toEqual([])
  })

  test('nothing moves for those who asked for that', async () => {
    await using opened = await openPage()
    await opened.page.emulateMedia({ reducedMotion: 'reduce' })
    await show(opened)
    const animations = await opened.page.evaluate(() => document.getAnimations().length)
    expect(animations).toBe(0)
  })

  test('on a phone one column is shown at a time, and what is touched is large enough', async () => {
    await using opened = await openPage({ width: 390, height: 844, isTouch: true })
    await show(opened)
    const { page } = opened
    const timeline = page.getByRole('list', { name: 'Timeline' })
    expect(await timeline.isVisible()).toBe(false)
    await page.locator('.agent[data-contact]').tap()
    await timeline.waitFor()
    expect(await page.getByRole('listbox', { name: 'Agents' }).isVisible()).toBe(false)
    await page.locator('.row.is-asking').waitFor()
    expect(await smallTargets(opened)).toEqual([])
    await page.getByRole('navigation').getByRole('button', { name: 'Agents' }).tap()
    await page.getByRole('listbox', { name: 'Agents' }).waitFor()
    expect(await smallTargets(opened)).toEqual([])
    const { scroll, width, size } = await page.evaluate(() => ({
      scroll: document.documentElement.scrollWidth,
      width: innerWidth,
      size: getComputedStyle(document.body).fontSize,
    }))
    expect(scroll).toBe(width)
    expect(size).toBe('16px')
  })
})

/** Everything on the screen that can be touched and is lower than 44 pixels. */
function smallTargets({ page }: TestPage): Promise<string[]> {
  return page.evaluate(() =>
    [
      ...document.querySelectorAll('button:not(.opener, .who-link), [role=option], .row[tabindex], .find'),
    ].flatMap((target) => {
      const { height } = target.getBoundingClientRect()
      return height > 0 && height < 44 ? [`${target.className} ${height}`] : []
    }),
  )
}
