import { operations, routes, type OperationDeclaration, type RouteDeclaration } from '../protocol/index.ts'
import { version } from '../core/version.ts'

interface Row {
  readonly method: string
  readonly path: string
  readonly scope: string
  readonly summary: string
}

/** The HTTP surface as a page for people, made from the declarations; it needs neither script nor style from elsewhere. */
export function renderDocsPage(): string {
  const rows: Row[] = [
    ...Object.values<OperationDeclaration>(operations).map(({ rest, scope, summary }) => ({
      method: rest.method,
      path: rest.path,
      scope: scope ?? 'none',
      summary,
    })),
    ...Object.values<RouteDeclaration>(routes).map((route) => ({ ...route, scope: route.scope ?? 'none' })),
  ].sort((a, b) => a.path.localeCompare(b.path) || a.method.localeCompare(b.method))
  const body = rows
    .map(
      ({ method, path, scope, summary }) =>
        `<tr><td><code>${method}</code></td><td><code>${escapeHtml(path)}</code></td><td>${scope}</td><td>${escapeHtml(summary)}</td></tr>`,
    )
    .join('\n')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Agent Bridge API</title>
<link rel="stylesheet" href="/docs.css">
</head>
<body>
<main>
<h1>Agent Bridge ${version}</h1>
<p>Every route, the scope its token needs, and what it does. Schemas are in <a href="/openapi.json">openapi.json</a>
(OpenAPI 3.1). Send the token as <code>Authorization: Bearer …</code> or <code>X-Bridge-Token: …</code>.</p>
<table>
<thead><tr><th>Method</th><th>Path</th><th>Scope</th><th>What it does</th></tr></thead>
<tbody>
${body}
</tbody>
</table>
</main>
</body>
</html>
`
}

/** The page's style; a route of its own, since no page of the bridge may carry style inline. */
export const docsStyle = `
:root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif }
main { max-width: 1100px; margin: 32px auto; padding: 0 16px }
code { font: 13px ui-monospace, monospace }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: 8px 12px 8px 0; border-bottom: 1px solid color-mix(in srgb, currentColor 15%, transparent) }
`

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
