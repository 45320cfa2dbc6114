import { effect, signal } from '@preact/signals'
import { readStored, writeStored } from './storage.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** What the person chose; `system` follows the browser's own preference. */
export const theme = signal<Theme>(readTheme())

/** Keeps the document and this browser's memory in step with the choice. */
export function followTheme(): () => void {
  return effect(() => {
    const chosen = theme.value
    if (chosen === 'system') document.documentElement.removeAttribute('data-theme')
    else document.documentElement.dataset['theme'] = chosen
    writeStored('bridge.theme', chosen === 'system' ? undefined : chosen)
  })
}

/** The next choice. From `system` it is the one that changes what is seen. */
export function switchTheme(): void {
  const systemIsDark = matchMedia('(prefers-color-scheme: dark)').matches
  const order: readonly Theme[] = systemIsDark ? ['system', 'light', 'dark'] : ['system', 'dark', 'light']
  theme.value = order[(order.indexOf(theme.value) + 1) % order.length] ?? 'system'
}

function readTheme(): Theme {
  const stored = readStored('bridge.theme')
  return themes.find((theme) => theme === stored) ?? 'system'
}
