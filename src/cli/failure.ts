import { ClientError } from '../client/client-error.ts'
import { BridgeError, errorTable } from '../core/errors.ts'
import { isKnown } from './control-client.ts'
import { safeLine } from './safe-text.ts'

/** Thrown by a command that has said everything itself and only needs its exit code. */
export class ExitCode extends Error {
  readonly exit: number

  constructor(exit: number) {
    super(`exit ${exit}`)
    this.exit = exit
  }
}

/**
 * Ends the command for what it failed with: one line that says what, one that says what to do, on stderr.
 * Anything that is no error of the table is a bug and shows its stack.
 */
export function reportFailure(error: unknown): void {
  if (error instanceof ExitCode) {
    process.exitCode = error.exit
  } else if (error instanceof BridgeError) {
    write(error.message)
    process.exitCode = error.exit
  } else if (error instanceof ClientError) {
    write(error.message)
    process.exitCode = isKnown(error.code) ? errorTable[error.code].exit : 1
  } else {
    process.stderr.write(
      `bridge: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    )
    process.exitCode = 1
  }
}

function write(message: string): void {
  const [what = '', ...advice] = message.split(/(?<=[.:)]) (?=[A-Z])/)
  const lines = [
    `bridge: ${safeLine(what)}`,
    ...(advice.length > 0 ? [`        ${safeLine(advice.join(' '))}`] : []),
  ]
  process.stderr.write(`${lines.join('\n')}\n`)
}
