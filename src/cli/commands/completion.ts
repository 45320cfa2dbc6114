import type { Command } from 'commander'
import { BridgeError } from '../../core/errors.ts'

/** What can follow a command: its subcommands, its options, and fixed words. */
interface Node {
  /** The words from `bridge` to here, such as `token create`. */
  readonly path: string
  readonly words: readonly (readonly [word: string, description: string])[]
}

const shells = { bash: renderBash, zsh: renderZsh, fish: renderFish } as const

/**
 * `bridge completion SHELL`
 *
 * @throws BridgeError `usage` for a shell there is no script for
 */
export function printCompletion(program: Command, shell: string): void {
  if (!isShell(shell)) {
    throw new BridgeError('usage', {
      problem: `There is no completion for "${shell}". Known: bash, zsh, fish.`,
    })
  }
  process.stdout.write(shells[shell](nodesOf(program)))
}

function isShell(shell: string): shell is keyof typeof shells {
  return Object.hasOwn(shells, shell)
}

function nodesOf(command: Command, path = ''): Node[] {
  const help = command.createHelp()
  const subcommands = help.visibleCommands(command)
  const own: Node = {
    path,
    words: [
      ...subcommands.map((child) => [child.name(), child.description()] as const),
      ...help
        .visibleOptions(command)
        .flatMap((option) =>
          [option.long ?? option.short].flatMap((flag) =>
            flag === undefined ? [] : [[flag, option.description] as const],
          ),
        ),
      ...(argumentWords[path] ?? []).map((word) => [word, ''] as const),
    ],
  }
  const below = subcommands
    .filter((child) => child.name() !== 'help')
    .flatMap((child) => nodesOf(child, path === '' ? child.name() : `${path} ${child.name()}`))
  return [own, ...below]
}

const argumentWords: Readonly<Record<string, readonly string[]>> = {
  wire: ['claude', 'codex', 'cursor', 'opencode', 'gemini'],
  unwire: ['claude', 'codex', 'cursor', 'opencode', 'gemini'],
  completion: ['bash', 'zsh', 'fish'],
}

function renderBash(nodes: readonly Node[]): string {
  const cases = nodes.map(
    ({ path, words }) => `    ${quote(path)}) words=${quote(words.map(([word]) => word).join(' '))} ;;`,
  )
  return `# bash completion of bridge: bridge completion bash > ~/.local/share/bash-completion/completions/bridge
_bridge() {
  local current=\${COMP_WORDS[COMP_CWORD]} path='' words='' index
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "\${COMP_WORDS[index]}" in -*) ;; *) _bridge_known "\${path:+$path }\${COMP_WORDS[index]}" && path="\${path:+$path }\${COMP_WORDS[index]}" ;; esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
_bridge_known() {
  case "$1" in
    ${knownPaths(nodes).join(' | ')}) return 0 ;;
  esac
  return 1
}
complete -o default -F _bridge bridge
`
}

function renderZsh(nodes: readonly Node[]): string {
  const cases = nodes.map(({ path, words }) => {
    const entries = words.map(([word, description]) =>
      quote(description === '' ? word : `${word.replaceAll(':', '\\:')}:${description}`),
    )
    return `    ${quote(path)}) choices=(${entries.join(' ')}) ;;`
  })
  return `#compdef bridge
# zsh completion of bridge: bridge completion zsh > "\${fpath[1]}/_bridge"
_bridge() {
  local at='' word
  local -a choices
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${at:+$at }$word" in
      ${knownPaths(nodes).join(' | ')}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  _describe bridge choices
}
compdef _bridge bridge
`
}

function renderFish(nodes: readonly Node[]): string {
  const lines = nodes.flatMap(({ path, words }) =>
    words.map(([word, description]) => {
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${quote(word)}`
      const about = description === '' ? '' : ` -d ${quote(description)}`
      return `complete -c bridge -f -n ${quote(`__fish_bridge_at ${quote(path)}`)} ${what}${about}`
    }),
  )
  return `# fish completion of bridge: bridge completion fish > ~/.config/fish/completions/bridge.fish
function __fish_bridge_at
  set -l at ''
  set -l words (commandline -opc)
  for word in $words[2..]
    set -l next (string trim "$at $word")
    contains -- $next ${knownPaths(nodes).join(' ')}; and set at $next
  end
  test "$at" = "$argv"
end
${lines.join('\n')}
`
}

/** Every command that can be completed after, quoted. */
function knownPaths(nodes: readonly Node[]): string[] {
  return nodes.filter(({ path }) => path !== '').map(({ path }) => quote(path))
}

/** One word of a shell, whatever is in it. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
