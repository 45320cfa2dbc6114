import type { Command, Option } from 'commander'
import { createProgram } from '../src/cli/program.ts'
import { code, generatedFrom, table } from './markdown.ts'

/** `docs/cli.md`: every command with its arguments and options, as its own help says. */
export function renderCliDoc(): string {
  const program = createProgram()
  return `${generatedFrom('src/cli/program.ts')}

# Command line

Install the package and call \`bridge\`; in a clone, \`npm run -s bridge -- <command>\`. Output is for people, and colour only goes to a
terminal (not with \`NO_COLOR\`). \`--json\` prints a shape that stays. Errors go to stderr: a line of what, a line of what to do.
Exit codes: 0 done, 1 failed, 2 called wrongly, 78 a configuration that cannot work.

${commandsOf(program)
  .map((command) => renderCommand(command))
  .join('\n\n')}
`
}

/** Everything that can be run, in the order of the help. */
function commandsOf(command: Command): Command[] {
  const help = command.createHelp()
  return help
    .visibleCommands(command)
    .filter((child) => child.name() !== 'help')
    .flatMap((child) => {
      const children = commandsOf(child)
      const isOnlyGroup = children.length > 0 && child.registeredArguments.length === 0 && !runs(child)
      return isOnlyGroup ? children : [child, ...children]
    })
}

/** A command that only groups others has no options of its own. */
function runs(command: Command): boolean {
  return command.options.length > 0
}

function renderCommand(command: Command): string {
  const names: string[] = []
  for (let at: Command | null = command; at !== null; at = at.parent) names.unshift(at.name())
  const arguments_ = command.registeredArguments.map((argument) =>
    argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
  )
  const title = `## ${[...names, ...arguments_].join(' ').replaceAll('<', '\\<')}`
  const text = command.description()
  const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
  const options = command
    .createHelp()
    .visibleOptions(command)
    .filter((option) => option.long !== '--help')
    .map((option) => [code(option.flags), describe(option)])
  return [title, sentence, ...(options.length > 0 ? [table(['option', 'what it does'], options)] : [])].join(
    '\n\n',
  )
}

function describe(option: Option): string {
  const preset = option.defaultValue === undefined ? '' : ` (${String(option.defaultValue)})`
  return `${option.description.replaceAll('<', '\\<')}${preset}`
}
