import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { version } from '../core/version.ts'
import { ExitCode } from './failure.ts'

/** Exit code of a command that was called wrongly. */
const usageExit = 2

/**
 * Runs the command line.
 *
 * @throws ExitCode when the parser has already said what is wrong, and whatever the command throws
 */
export async function runProgram(args: readonly string[]): Promise<void> {
  const program = createProgram()
  if (args.length === 0) {
    program.outputHelp()
    return
  }
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // Help and version end like errors, and are none.
    if (error.exitCode !== 0) throw new ExitCode(usageExit)
  }
}

/** All commands with their options. Each loads its code only when it runs. */
export function createProgram(): Command {
  const program = new Command('bridge')
    .description('One daemon between coding agents and everyone who needs to reach them.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .exitOverride()
    .configureOutput({
      outputError: (text, write) => {
        write(
          `${text.replace(/^error: /, 'bridge: ').trimEnd()}\n        "bridge help" lists the commands.\n`,
        )
      },
    })
  addDaemonCommands(program)
  addWatchCommands(program)
  addAgentCommands(program)
  addAccessCommands(program)
  addOtherCommands(program)
  return program
}

function addDaemonCommands(program: Command): void {
  program.commandsGroup('The daemon:')
  command(program, 'up', 'start the bridge in the background, and print how to go on')
    .option('--foreground', 'stay in this terminal, with the log, until Ctrl-C')
    .option('--host <address>', 'address to listen on (127.0.0.1)')
    .option('--port <number>', 'port to listen on (8787); 0 takes any free one')
    .option('--url <url>', 'where hooks and commands find the bridge')
    .option('--log-level <level>', 'silent, error, warn, info, debug or trace (info)')
    .option('--log-file <path>', 'mirror the log to this file')
    .addOption(new Option('--detached').hideHelp())
    .action(async (options) => (await import('./commands/up.ts')).up(options))
  command(program, 'down', 'stop the bridge and wait until it is gone').action(async (options) =>
    (await import('./commands/down.ts')).down(options),
  )
  command(program, 'status', 'show the bridge and its agents, those that need you first')
    .option('--link', 'print a new one-time link to the dashboard')
    .action(async (options) => (await import('./commands/status.ts')).showStatus(options))
  command(program, 'doctor', 'find what keeps hooks from arriving, and say how to mend it')
    .option('--agent <names...>', 'only these agents: claude, codex, cursor, opencode, gemini')
    .option('--no-probe', 'send no test hook on the ways that agents take')
    .action(async (options) => (await import('./commands/doctor.ts')).doctor(options))
  command(program, 'logs', 'show what the daemon reports of itself')
    .option('-f, --follow', 'go on as it grows')
    .option('-n, --lines <number>', 'how many of the last lines', wholeNumber, 50)
    .action(async (options) => (await import('./commands/logs.ts')).showLogs(options))
  const config = program.command('config').description('look at the configuration')
  command(config, 'check', 'show every setting with where it comes from, or what is wrong').action(
    async (options) => (await import('./commands/config.ts')).checkConfig(options),
  )
}

function addWatchCommands(program: Command): void {
  program.commandsGroup('Watching:')
  command(program, 'tail', 'show events as they happen')
    .option('--contact <name>', 'only of this agent, by name or id')
    .option('--kind <kinds...>', 'only these kinds: turn.ended, or activity for all of activity.*')
    .option('--after <cursor>', 'begin after this place: a seq, or epoch:seq as --json prints them')
    .addOption(new Option('--since-start', 'begin with the oldest event there is').conflicts('after'))
    .action(async (options) => (await import('./commands/tail.ts')).tail(options))
  command(program, 'demo', 'play a made-up agent at work, through the path of real hooks', { json: false })
    .option('--speed <factor>', 'how many times faster than life', positiveNumber, 1)
    .option('--seed <number>', 'play the session with this number again', wholeNumber)
    .option('--loop', 'play session after session until Ctrl-C')
    .action(async (options) => (await import('./commands/demo.ts')).playDemo(options))
}

function addAgentCommands(program: Command): void {
  program.commandsGroup('Agents:')
  for (const verb of ['wire', 'unwire'] as const) {
    const summary = {
      wire: 'let the hooks of agents (claude, codex, cursor, opencode, gemini) report to the bridge',
      unwire: 'take our hooks out again, and nothing else',
    }
    const wiring = command(program, `${verb} <agents...>`, summary[verb])
      .addOption(new Option('--user', "in the user's settings (default)").conflicts('project'))
      .option('--project', 'in the settings of the project in this directory')
    if (verb === 'wire') {
      wiring.option('--http', 'let the agent post by itself; it complains while the bridge is down')
    }
    wiring.action(async (agents: string[], options) =>
      (await import('./commands/wire.ts'))[verb](agents, options),
    )
  }
}

function addAccessCommands(program: Command): void {
  program.commandsGroup('Access:')
  const token = program.command('token').description('make, list and end tokens')
  command(token, 'list', 'show all tokens, without their secrets').action(async (options) =>
    (await import('./commands/token.ts')).listTokens(options),
  )
  command(token, 'create <name>', 'make a token; its secret is shown only once')
    .requiredOption('--scope <scopes...>', 'what it may do: ingest, read, send, approve, keys, admin')
    .option('--contact <names...>', 'which agents it may reach; all when absent')
    .option('--expires <span>', 'how long it holds, such as 30d; for ever when absent')
    .action(async (name: string, options) => (await import('./commands/token.ts')).createToken(name, options))
  command(token, 'rotate <id>', 'give a token a new secret; the old one ends at once').action(
    async (id: string, options) => (await import('./commands/token.ts')).rotateToken(id, options),
  )
  command(token, 'revoke <id>', 'end a token at once').action(async (id: string, options) =>
    (await import('./commands/token.ts')).revokeToken(id, options),
  )
  const audit = command(program, 'audit', 'show who did what')
    .option('--action <action>', 'only this action')
    .option('--identity <name>', 'only by this identity')
    .option('-n, --limit <number>', 'how many of the last lines', wholeNumber, 50)
    .action(async (options) => (await import('./commands/audit.ts')).showAudit(options))
  command(audit, 'verify', 'check that no line was changed or removed').action(
    async (_options, verify: Command) =>
      (await import('./commands/audit.ts')).checkAudit(verify.optsWithGlobals()),
  )
}

function addOtherCommands(program: Command): void {
  program.commandsGroup('Other:')
  program
    .command('completion')
    .argument('<shell>', 'bash, zsh or fish')
    .description('print a completion script for a shell')
    .action(async (shell: string) =>
      (await import('./commands/completion.ts')).printCompletion(program, shell),
    )
  program
    .command('version')
    .description('print the version')
    .action(() => void process.stdout.write(`${version}\n`))
}

/** A command with the options that all have that work on a home. */
function command(parent: Command, usage: string, summary: string, { json = true } = {}): Command {
  const created = parent
    .command(usage)
    .description(summary)
    .option('--state <path>', 'a file whose directory is the home (else BRIDGE_HOME, else ~/.bridge)')
  return json ? created.option('--json', 'print JSON, in a shape that stays') : created
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

function positiveNumber(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !(value > 0 && value <= 10_000)) {
    throw new InvalidArgumentError('It must be a number above 0, and at most 10000.')
  }
  return value
}
