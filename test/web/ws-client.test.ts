import { expect, test } from 'vitest'
import { verifies } from '../requirements.ts'
import { describeWith } from '../requires.ts'
import { openBridge } from './bridge.ts'
import { openPage } from './browser.ts'

describeWith('chromium')('the example client', () => {
  test(
    'connects with a pasted token and shows every frame as text' +
      verifies('A:examples.ws-client', 'A:smoke.client-page'),
    async () => {
      await using bridge = await openBridge()
      await using opened = await openPage()
      const { page } = opened
      await page.goto(`${bridge.url}/examples/ws-client.html`)
      await page.getByLabel('Token').fill('test')
      await page.getByRole('button', { name: 'Connect' }).click()
      await page.getByText('"type":"hello"').waitFor()
      await bridge.hook({ id: 'sess1', directory: '/' }, 'UserPromptSubmit', { prompt: '<b>\u202ehello</b>' })
      await page.getByText('"kind":"turn.started"').waitFor()
      await page
        .getByText('"kind":"message.user"')
        .filter({ hasText: String.raw`<b>\u202ehello</b>` })
        .waitFor()
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByText('"type":"pong"').waitFor()
      expect(await page.locator('#frames b').count()).toBe(0)
      expect(opened.problems).toEqual([])
    },
  )

  test('says that a token is not known', async () => {
    await using bridge = await openBridge()
    await using opened = await openPage()
    const { page } = opened
    await page.goto(`${bridge.url}/examples/ws-client.html`)
    await page.getByLabel('Token').fill('wrong')
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByText('4401').waitFor()
    expect(await page.locator('#frames li').count()).toBe(0)
  })
})
