import { mcpToolOf } from './activity-kind.ts'
import { clip, fieldsOf, isFields, listOf, textOf, type Fields } from './fields.ts'

/** The most characters a summary has (seed agent-bridge-readme; the vocabulary's `ActivityRef.summary`). */
const maxLength = 80

type Rule = (input: Fields) => string | undefined

const path = baseNameOf('file_path', 'notebook_path', 'target_file', 'path', 'file')
const command = text('command', 'cmd', 'script')
const pattern = text('pattern', 'query')
const query = text('query', 'pattern', 'glob_pattern')
const shellId = text('shell_id', 'bash_id', 'task_id', 'agent_id')
const subagent = text('subagent_type', 'description', 'prompt')
const todos: Rule = (input) => (Array.isArray(input.todos) ? `${input.todos.length} items` : undefined)

/** What of a tool's input says best what it does, by the tool's name; all agents share the table. */
const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...named(path, 'Read', 'Edit', 'Write', 'MultiEdit', 'NotebookEdit', 'NotebookRead', 'EditNotebook'),
  ...named(path, 'read_file', 'edit_file', 'read', 'write', 'edit', 'multiedit', 'list', 'LS', 'list_dir'),
  ...named(path, 'Delete', 'delete_file', 'StrReplace', 'search_replace', 'edit_notebook', 'view_image'),
  ...named(command, 'Bash', 'Shell', 'bash', 'shell', 'exec_command', 'PowerShell', 'run_terminal_cmd'),
  ...named(text('bash_id', 'shell_id', 'task_id'), 'BashOutput', 'TaskOutput'),
  ...named(shellId, 'KillShell', 'KillBash', 'TaskStop'),
  ...named(text('description', 'command'), 'Monitor'),
  ...named(pattern, 'Grep', 'Glob', 'grep', 'glob'),
  ...named(query, 'grep_search', 'semantic_search', 'search_files', 'SemanticSearch', 'SearchFiles'),
  ...named(query, 'codebase_search', 'file_search', 'glob_file_search', 'codesearch'),
  ...named(query, 'WebSearch', 'web_search', 'websearch', 'ToolSearch'),
  ...named(hostOf('url'), 'WebFetch', 'browser', 'webfetch', 'Browser'),
  ...named(subagent, 'Task', 'Agent', 'Subagent', 'task', 'spawn_agent'),
  ...named(todos, 'TodoWrite', 'todo', 'todowrite', 'todo_write'),
  ...named((input) => (Array.isArray(input.plan) ? `${input.plan.length} items` : undefined), 'update_plan'),
  ...named(text('subject', 'description'), 'TaskCreate'),
  ...named(taskChange, 'TaskUpdate'),
  ...named(patchedFile, 'apply_patch', 'ApplyPatch', 'patch'),
  ...named(text('prompt'), 'image_generation', 'GenerateImage', 'ImageGeneration'),
  ...named(firstQuestion, 'AskUserQuestion', 'request_user_input', 'question'),
  ...named(text('skill', 'command', 'name'), 'Skill'),
  ...named(text('operation', 'file_path'), 'LSP'),
  ...named(text('uri', 'server'), 'ReadMcpResourceTool', 'ListMcpResourcesTool'),
])

/** One line of at most 80 characters on what a tool was asked to do; empty when nothing useful is known. */
export function summaryOf(tool: string, input: unknown): string {
  const mcpTool = mcpToolOf(tool)
  if (mcpTool !== undefined) return oneLine(mcpTool)
  const found = rules.get(tool)?.(fieldsOf(input))
  return found === undefined ? '' : oneLine(found)
}

function oneLine(value: string): string {
  // A command can be a megabyte; nothing far behind the bound can matter.
  return clip(
    value
      .slice(0, maxLength * 10)
      .replace(/\s+/g, ' ')
      .trim(),
    maxLength,
  )
}

function named(rule: Rule, ...tools: string[]): [string, Rule][] {
  return tools.map((tool) => [tool, rule])
}

/** The first field that says something; each name is also looked for in camel case, as OpenCode writes it. */
function text(...names: string[]): Rule {
  const all = names.flatMap((name) => (name.includes('_') ? [name, camelCase(name)] : [name]))
  return (input) => {
    for (const name of all) {
      const value = input[name]
      const found = textOf(Array.isArray(value) ? value.filter(isText).join(' ') : value)
      if (found !== undefined) return found
    }
    return undefined
  }
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function baseNameOf(...names: string[]): Rule {
  const read = text(...names)
  return (input) => {
    const found = read(input)
    return found === undefined ? undefined : baseName(found)
  }
}

function baseName(value: string): string {
  const trimmed = value.replace(/[/\\]+$/, '')
  return trimmed.slice(Math.max(trimmed.lastIndexOf('/'), trimmed.lastIndexOf('\\')) + 1)
}

function hostOf(name: string): Rule {
  const read = text(name)
  return (input) => {
    const found = read(input)
    return found === undefined ? undefined : (URL.parse(found)?.host ?? '') || found
  }
}

function taskChange(input: Fields): string | undefined {
  const id = text('task_id')(input)
  const change = text('status', 'subject')(input)
  return id === undefined ? change : change === undefined ? `#${id}` : `#${id} ${change}`
}

function patchedFile(input: Fields): string | undefined {
  const named = path(input)
  if (named !== undefined) return named
  const patch = text('input', 'patch', 'command')(input)
  const file = patch === undefined ? undefined : /^\*\*\* \w+ File: (.+)$/m.exec(patch.slice(0, 2_000))?.[1]
  return file === undefined ? undefined : baseName(file)
}

function firstQuestion(input: Fields): string | undefined {
  const [first] = listOf(input.questions)
  return text('question', 'header')(isFields(first) ? first : input)
}
