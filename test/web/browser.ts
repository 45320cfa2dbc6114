import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type BrowserContext, type Page } from 'playwright-core'
import { findProgram } from '../requires.ts'

/** How a page is looked at. */
export interface PageOptions {
  readonly colorScheme?: 'light' | 'dark'
  readonly width?: number
  readonly height?: number
  readonly isTouch?: boolean
}

/** A page in a browser of its own, and everything that went wrong on it. */
export interface TestPage extends AsyncDisposable {
  readonly page: Page
  readonly context: BrowserContext
  /** Uncaught errors, and errors on the console: a refused script or style is one of them. */
  readonly problems: readonly string[]
}

/** Nothing of the browser itself may call home, or wait for a display. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Opens an empty page in a fresh profile. Needs `describeWith('chromium')` around it. */
export async function openPage(options: PageOptions = {}): Promise<TestPage> {
  const executablePath = findProgram('chromium')
  if (executablePath === undefined) throw new Error('this machine has no chromium')
  const profile = await mkdtemp(join(tmpdir(), 'bridge-web-profile-'))
  const { colorScheme = 'light', width = 1280, height = 800, isTouch = false } = options
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    args: flags,
    colorScheme,
    hasTouch: isTouch,
    viewport: { width, height },
  })
  const [page = await context.newPage()] = context.pages()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  return {
    page,
    context,
    problems,
    [Symbol.asyncDispose]: async () => {
      await context.close()
      await rm(profile, { recursive: true, force: true })
    },
  }
}
