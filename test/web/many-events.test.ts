import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../requires.ts'
import { openBridge, type ClassifiedEvent, type TestBridge } from './bridge.ts'
import { openPage, type TestPage } from './browser.ts'
import { fillLog } from './long-log.ts'

const eventCount = 10_000
/** A screen of 800 pixels and what is rendered beyond it, in rows of at least 28. */
const maxRendered = 120

describeWith('chromium')(`with ${eventCount.toLocaleString('en')} events`, () => {
  let bridge: TestBridge
  let opened: TestPage
  beforeAll(async () => {
    bridge = await openBridge()
    await fillLog(bridge, eventCount)
    opened = await openPage()
    await opened.page.goto(await bridge.link())
    await opened.page.locator('.row.is-reply').first().waitFor()
  })
  afterAll(async () => {
    await opened[Symbol.asyncDispose]()
    await bridge[Symbol.asyncDispose]()
  })

  const list = () => opened.page.getByRole('list', { name: 'Timeline' })
  const scrollTo = (top: number) => list().evaluate((element, top) => void (element.scrollTop = top), top)
  const rendered = () => opened.page.locator('.row').count()
  const distanceToEnd = () =>
    list().evaluate((element) => element.scrollHeight - element.clientHeight - element.scrollTop)
  /** The first row in view, and where it stands. */
  const firstInView = () =>
    list().evaluate((element) => {
      const { top } = element.getBoundingClientRect()
      const row = [...element.querySelectorAll<HTMLElement>('.row[tabindex]')].find(
        (row) => row.getBoundingClientRect().top >= top,
      )
      return { key: row?.dataset['key'], top: row?.getBoundingClientRect().top }
    })
  const finished = (count: number, turn: string): ClassifiedEvent[] =>
    Array.from({ length: count }, (_, index) => ({
      session_id: `live-${turn}`,
      turn_id: turn,
      event: {
        kind: 'activity.finished',
        activity: { id: `${turn}-${index}`, kind: 'file.read', tool: 'Read', summary: 'x.ts' },
      },
    }))

  test('it opens at the end with the newest page, and loads earlier ones as one scrolls up', async () => {
    expect(await distanceToEnd()).toBeLessThan(4)
    const begins = opened.page.getByText('History begins here')
    await expect
      .poll(
        async () => {
          await scrollTo(0)
          return begins.isVisible()
        },
        { timeout: 15_000 },
      )
      .toBe(true)
    await opened.page.keyboard.press('s')
    await opened.page.locator('.row.at-1').first().waitFor()
    expect(await list().evaluate((element) => element.scrollHeight)).toBeGreaterThan(5_000 * 28)
    expect(await rendered()).toBeLessThan(maxRendered)
  })

  test('an earlier page does not move what is in view', async () => {
    const { page } = opened
    await page.reload()
    await page.locator('.row.is-reply').first().waitFor()
    const asked = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<void>()
    await page.route('**/api/history?*before*', async (route) => {
      asked.resolve()
      await answer.promise
      await route.continue()
    })
    await scrollTo(500)
    await asked.promise
    await page.getByText('Loading earlier events').waitFor({ state: 'attached' })
    const before = await firstInView()
    const height = await list().evaluate((element) => element.scrollHeight)
    answer.resolve()
    await expect
      .poll(() => list().evaluate((element) => element.scrollHeight))
      .toBeGreaterThan(height + 1_000)
    expect(await firstInView()).toEqual(before)
    await page.unrouteAll({ behavior: 'wait' })
  })

  test('scrolling through it keeps the frames coming', async () => {
    await scrollTo(2_000)
    const frames = await measureFrames(opened, 3_000)
    const sorted = frames.toSorted((a, b) => a - b)
    const at = (part: number) => Math.round((sorted[Math.floor(sorted.length * part)] ?? 0) * 10) / 10
    console.log(
      JSON.stringify({
        bench: 'web.scroll',
        frames: frames.length,
        p50_ms: at(0.5),
        p95_ms: at(0.95),
        p99_ms: at(0.99),
      }),
    )
    expect(frames.length).toBeGreaterThan(5)
    expect(await rendered()).toBeLessThan(maxRendered)
  })

  test('live events do not move a reader who is elsewhere, and say how many there are', async () => {
    await scrollTo(5_000)
    await opened.page.locator('.new-events').waitFor()
    const before = await firstInView()
    await bridge.events(finished(300, 'away'))
    await opened.page.getByText('300 new events').waitFor()
    expect(await firstInView()).toEqual(before)
    await opened.page.getByText('300 new events').click()
    await expect.poll(distanceToEnd).toBeLessThan(4)
    await opened.page.locator('.new-events').waitFor({ state: 'detached' })
  })

  test('at the end it follows what comes', async () => {
    await bridge.events(finished(100, 'following'))
    await opened.page.locator('.row.is-turn', { hasText: '100 steps' }).waitFor()
    expect(await distanceToEnd()).toBeLessThan(4)
    expect(opened.problems).toEqual([])
  })

  test('a contact of which little is loaded is loaded from its own history', async () => {
    await opened.page.reload()
    await opened.page.locator('.row.is-reply').first().waitFor()
    // Of those the log was filled with: the tests before this one have made a contact without turns.
    const filled = opened.page.locator('.agent[data-contact]').filter({ hasText: 'turn ended' })
    const oldest = filled.last()
    await oldest.click()
    await expect
      .poll(() => opened.page.locator('.row.is-turn').count(), { timeout: 30_000 })
      .toBeGreaterThan(3)
  })
})

/** Times between frames, in milliseconds, while the list scrolls as fast as a hand does. */
function measureFrames({ page }: TestPage, durationMs: number): Promise<number[]> {
  return page.evaluate(async (durationMs) => {
    const list = document.querySelector('[role=list]')
    const frames: number[] = []
    const { promise, resolve } = Promise.withResolvers<void>()
    const startedAt = performance.now()
    let last = startedAt
    const frame = (now: number) => {
      frames.push(now - last)
      last = now
      if (list) list.scrollTop += 60
      if (now - startedAt < durationMs) requestAnimationFrame(frame)
      else resolve()
    }
    requestAnimationFrame(frame)
    await promise
    return frames.slice(2)
  }, durationMs)
}
