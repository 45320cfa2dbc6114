import type { StatusOptions } from './commands/status.ts'

// `bridge … | head` ends when its reader has seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

try {
  await run(process.argv.slice(2))
} catch (error) {
  const { reportFailure } = await import('./failure.ts')
  reportFailure(error)
  // What has failed is over, whatever it had opened.
  process.exit()
}

async function run(args: readonly string[]): Promise<void> {
  const options = readStatusOptions(args)
  if (options) {
    const { showStatus } = await import('./commands/status.ts')
    await showStatus(options)
  } else {
    // Most of the start of what loads schemas is compiling them; what is small only pays for the cache.
    const { enableCompileCache } = await import('node:module')
    enableCompileCache()
    const { runProgram } = await import('./program.ts')
    await runProgram(args)
  }
}

/**
 * `bridge status` is what prompts and status bars call, so its plain forms skip the command parser, which takes
 * longer to load than everything else it does. Undefined for whatever the parser has to look at.
 */
function readStatusOptions(args: readonly string[]): StatusOptions | undefined {
  const [command, ...flags] = args
  if (command !== 'status') return undefined
  const options: { json?: boolean; link?: boolean; state?: string } = {}
  for (let index = 0; index < flags.length; index++) {
    const flag = flags[index]
    const next = flags[index + 1]
    if (flag === '--json') options.json = true
    else if (flag === '--link') options.link = true
    else if (flag === '--state' && next !== undefined) {
      options.state = next
      index += 1
    } else return undefined
  }
  return options
}
