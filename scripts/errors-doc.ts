import { errorTable } from '../src/core/errors.ts'
import { code, generatedFrom, table } from './markdown.ts'

/** `docs/errors.md`: the table of all codes. */
export function renderErrorsDoc(): string {
  const rows = Object.entries(errorTable).map(([name, { status, exit, message }]) => [
    code(name),
    String(status),
    String(exit),
    message.replaceAll('<', '\\<'),
  ])
  return `${generatedFrom('src/core/errors.ts')}

# Errors

One table for every surface. HTTP answers \`{"error": code, "message": text, "details"?: object}\` with the status; routes of
the first bridge answer the same. A WebSocket sends \`{"type": "error", "message": code, "detail": text}\`, the control socket
\`{"id", "error": {"code", "message"}}\`, and a command prints the message on stderr and ends with the exit code: 1 for a failure,
2 for wrong usage, 78 for a configuration that cannot work. Words in braces are filled in.

${table(['code', 'status', 'exit', 'message'], rows)}
`
}
