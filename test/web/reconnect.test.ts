import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { describeWith } from '../requires.ts'
import { openBridge, type TestBridge } from './bridge.ts'
import { openPage } from './browser.ts'

const session = { id: 's1', directory: '/home/dev/api' }

const prompts = async (bridge: TestBridge, ...texts: string[]) => {
  for (const prompt of texts) {
    await bridge.hook(session, 'UserPromptSubmit', { prompt })
    await bridge.hook(session, 'Stop', { last_assistant_message: `answer ${prompt}` })
  }
}

/** What retention does once a minute to a log that is full: here to a bridge that is stopped. */
function trimLog(bridge: TestBridge): void {
  const database = new DatabaseSync(join(bridge.home, 'bridge.db'))
  database.exec('DELETE FROM log WHERE seq < (SELECT max(seq) FROM log)')
  database.close()
}

describeWith('chromium')('when the bridge goes away', () => {
  test('the page says so, comes back by itself, and shows what happened without it', async () => {
    await using bridge = await openBridge()
    await prompts(bridge, 'one')
    await using opened = await openPage()
    const { page } = opened
    await page.goto(await bridge.link())
    await page.getByText('answer one').first().waitFor()
    await bridge.stop()
    await page.getByText('Reconnecting since').waitFor()
    await bridge.start()
    await prompts(bridge, 'two', 'three')
    await page.getByText('Reconnecting since').waitFor({ state: 'detached' })
    await page.locator('.row.is-reply', { hasText: 'answer three' }).waitFor()
    const shown = await page.locator('.row.is-prompt .said').allTextContents()
    expect(shown).toEqual(['one', 'two', 'three'])
    expect(await page.locator('.row', { hasText: 'missing here' }).count()).toBe(0)
  })

  test('what history lost meanwhile is told as a number', async () => {
    await using bridge = await openBridge()
    await prompts(bridge, 'one')
    await using opened = await openPage()
    const { page } = opened
    await page.goto(await bridge.link())
    await page.getByText('answer one').first().waitFor()
    const { log: before } = await bridge.client.call('status.get', {})
    await page.route('**/api/tickets', (route) => route.abort())
    await bridge.stop()
    await page.getByText('Reconnecting since').waitFor()
    await bridge.start()
    await prompts(bridge, 'lost')
    await bridge.stop()
    trimLog(bridge)
    await bridge.start()
    await prompts(bridge, 'two')
    const { log: after } = await bridge.client.call('status.get', {})
    expect(after.oldest_seq).toBeGreaterThan(before.seq + 1)
    await page.unroute('**/api/tickets')
    await page.getByText('Reconnecting since').waitFor({ state: 'detached' })
    const missing = after.oldest_seq - before.seq - 1
    await page.getByText(`${missing} events are missing here: history was trimmed`).waitFor()
    await page.locator('.row.is-reply', { hasText: 'answer two' }).waitFor()
    expect(await page.locator('.row.is-prompt .said').allTextContents()).toEqual(['one', 'two'])
  })

  test('another log begins a new timeline', async () => {
    await using bridge = await openBridge()
    await prompts(bridge, 'of the old log')
    await using opened = await openPage()
    const { page } = opened
    await page.goto(bridge.url)
    await page.getByLabel('Or paste a token').fill('test')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByText('answer of the old log').first().waitFor()
    await bridge.stop()
    for (const file of ['bridge.db', 'bridge.db-wal', 'bridge.db-shm']) {
      rmSync(join(bridge.home, file), { force: true })
    }
    await bridge.start()
    await prompts(bridge, 'of the new log')
    await page.locator('.row.is-reply', { hasText: 'answer of the new log' }).waitFor()
    expect(await page.getByText('of the old log').count()).toBe(0)
  })
})
