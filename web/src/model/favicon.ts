/** Amber and grey that can be told from a light and a dark tab bar. */
const amber = '#d98a00'
const grey = '#8b8b99'

/** The page's title: who waits stands first, since tabs are narrow. */
export function titleFor(asks: number): string {
  return asks === 0 ? 'Agent Bridge' : `◆ ${asks} · Agent Bridge`
}

/** The favicon as a data URL: a quiet mark, or the number of agents that ask. */
export function faviconFor(asks: number): string {
  const svg = asks === 0 ? quietMark : askingMark(asks > 9 ? '9+' : String(asks))
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

const frame = (inner: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${inner}</svg>`

const quietMark = frame(
  `<path d="M3 23V15a13 10 0 0 1 26 0v8M3 19h26" fill="none" stroke="${grey}" stroke-width="3" stroke-linecap="round"/>`,
)

function askingMark(count: string): string {
  return frame(
    `<path d="M16 0 32 16 16 32 0 16Z" fill="${amber}"/>` +
      `<text x="16" y="22" font-family="system-ui,sans-serif" font-size="${count.length > 1 ? 14 : 18}" ` +
      `font-weight="700" text-anchor="middle" fill="#1c1400">${count}</text>`,
  )
}
