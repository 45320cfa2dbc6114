import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../requires.ts'
import { openBridge, type TestBridge } from './bridge.ts'
import { openPage } from './browser.ts'

describeWith('chromium')('signing in', () => {
  let bridge: TestBridge
  beforeAll(async () => {
    bridge = await openBridge()
  })
  afterAll(() => bridge[Symbol.asyncDispose]())

  test('a link lets in once, and its ticket leaves the address at once', async () => {
    const link = await bridge.link()
    expect(link).toContain('/#ticket=')
    await using first = await openPage()
    await first.page.goto(link)
    await first.page.getByText('live', { exact: true }).waitFor()
    expect(first.page.url()).toBe(`${bridge.url}/`)
    expect(await first.page.evaluate(() => history.length)).toBeLessThanOrEqual(2)
    await first.page.reload()
    await first.page.getByText('live', { exact: true }).waitFor()
    expect(first.problems).toEqual([])

    await using second = await openPage()
    await second.page.goto(link)
    await second.page.getByText('This link was used already').waitFor()
    expect(second.page.url()).toBe(`${bridge.url}/`)
  })

  test('the token of a link may not make further tokens', async () => {
    await using opened = await openPage()
    await opened.page.goto(await bridge.link())
    await opened.page.getByText('live', { exact: true }).waitFor()
    const status = await opened.page.evaluate(async () => {
      const headers = { authorization: `Bearer ${localStorage.getItem('bridge.token')}` }
      return (await fetch('/api/tokens', { headers })).status
    })
    expect(status).toBe(403)
  })

  test('without a token the page says how to get in, and takes a pasted one', async () => {
    await using opened = await openPage()
    await opened.page.goto(bridge.url)
    await opened.page.getByText('bridge status --link').waitFor()
    await opened.page.getByLabel('Or paste a token').fill('wrong')
    await opened.page.getByRole('button', { name: 'Open' }).click()
    await opened.page.getByText('not signed in any more').waitFor()
    await opened.page.getByLabel('Or paste a token').fill('test')
    await opened.page.getByRole('button', { name: 'Open' }).click()
    await opened.page.getByText('live', { exact: true }).waitFor()
    expect(await opened.page.evaluate(() => localStorage.getItem('bridge.token'))).toBe('test')
  })

  test('a token that is revoked leads back to signing in', async () => {
    await using opened = await openPage()
    await opened.page.goto(await bridge.link())
    await opened.page.getByText('live', { exact: true }).waitFor()
    const { tokens } = await bridge.client.call('tokens.list', {})
    for (const token of tokens.filter(({ name }) => name === 'browser')) {
      await bridge.client.call('tokens.revoke', { token: token.id })
    }
    await opened.page.getByText('not signed in any more').waitFor()
    expect(await opened.page.evaluate(() => localStorage.getItem('bridge.token'))).toBeNull()
  })

  test('every page comes with a policy that lets nothing foreign in', async () => {
    const policy = (await fetch(bridge.url)).headers.get('content-security-policy') ?? ''
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "frame-ancestors 'none'",
    ]) {
      expect(policy).toContain(rule)
    }
    expect(policy).not.toContain('unsafe')
  })
})
