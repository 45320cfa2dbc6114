import type { ActivityKind } from '../protocol/index.ts'

type KindTable = Readonly<Record<string, ActivityKind>>

/** Claude Code's tools: seed A's table, and the names that versions up to 2.1.332 offer their model. */
const claudeTools: KindTable = {
  Read: 'file.read',
  NotebookRead: 'file.read',
  Write: 'file.write',
  Edit: 'file.write',
  MultiEdit: 'file.write',
  Bash: 'shell.exec',
  PowerShell: 'shell.exec',
  BashOutput: 'shell.background',
  KillShell: 'shell.background',
  KillBash: 'shell.background',
  TaskOutput: 'shell.background',
  TaskStop: 'shell.background',
  Monitor: 'shell.background',
  Grep: 'search.code',
  LSP: 'search.code',
  Glob: 'search.files',
  LS: 'search.files',
  WebFetch: 'web.fetch',
  WebSearch: 'web.search',
  ListMcpResourcesTool: 'mcp.call',
  ReadMcpResourceTool: 'mcp.call',
  TodoWrite: 'todo.write',
  TaskCreate: 'todo.write',
  TaskUpdate: 'todo.write',
  Task: 'subagent.spawn',
  Agent: 'subagent.spawn',
  NotebookEdit: 'notebook.edit',
  ExitPlanMode: 'plan.exit',
}

/** The simulator behaves as Claude does, and adds what no tool of Claude's does. */
const simulatorTools: KindTable = { ...claudeTools, Delete: 'file.delete', ImageGeneration: 'image.generate' }

/** Codex: seed A's table, and the names its versions up to 0.171 offer their model. */
const codexTools: KindTable = {
  Bash: 'shell.exec',
  Shell: 'shell.exec',
  shell: 'shell.exec',
  exec_command: 'shell.exec',
  write_stdin: 'shell.background',
  apply_patch: 'file.write',
  ApplyPatch: 'file.write',
  view_image: 'file.read',
  web_search: 'web.search',
  TodoWrite: 'todo.write',
  update_plan: 'todo.write',
  Subagent: 'subagent.spawn',
  spawn_agent: 'subagent.spawn',
  EditNotebook: 'notebook.edit',
  GenerateImage: 'image.generate',
  image_generation: 'image.generate',
}

/** Cursor names its tools in two spellings, by version; both are known (seed A's original knows one at a time). */
const cursorTools: KindTable = {
  Read: 'file.read',
  read_file: 'file.read',
  Write: 'file.write',
  Edit: 'file.write',
  StrReplace: 'file.write',
  edit_file: 'file.write',
  search_replace: 'file.write',
  write: 'file.write',
  Delete: 'file.delete',
  delete_file: 'file.delete',
  Shell: 'shell.exec',
  run_terminal_cmd: 'shell.exec',
  Grep: 'search.code',
  grep: 'search.code',
  grep_search: 'search.code',
  SemanticSearch: 'search.code',
  semantic_search: 'search.code',
  codebase_search: 'search.code',
  Glob: 'search.files',
  glob_file_search: 'search.files',
  file_search: 'search.files',
  SearchFiles: 'search.files',
  search_files: 'search.files',
  LS: 'search.files',
  list_dir: 'search.files',
  Browser: 'web.fetch',
  browser: 'web.fetch',
  WebFetch: 'web.fetch',
  WebSearch: 'web.search',
  web_search: 'web.search',
  CallMcpTool: 'mcp.call',
  ListMcpResources: 'mcp.call',
  FetchMcpResource: 'mcp.call',
  TodoWrite: 'todo.write',
  todo_write: 'todo.write',
  Task: 'subagent.spawn',
  task: 'subagent.spawn',
  EditNotebook: 'notebook.edit',
  edit_notebook: 'notebook.edit',
  ImageGeneration: 'image.generate',
  GenerateImage: 'image.generate',
  image_generation: 'image.generate',
}

/** OpenCode: seed A's table, and the tools that 1.18.33 has. */
const openCodeTools: KindTable = {
  read: 'file.read',
  write: 'file.write',
  edit: 'file.write',
  multiedit: 'file.write',
  patch: 'file.write',
  apply_patch: 'file.write',
  bash: 'shell.exec',
  shell: 'shell.exec',
  grep: 'search.code',
  lsp: 'search.code',
  glob: 'search.files',
  list: 'search.files',
  webfetch: 'web.fetch',
  websearch: 'web.search',
  codesearch: 'web.search',
  todo: 'todo.write',
  todowrite: 'todo.write',
  todoread: 'todo.write',
  task: 'subagent.spawn',
  plan_exit: 'plan.exit',
}

const tables: ReadonlyMap<string, ReadonlyMap<string, ActivityKind>> = new Map([
  ['claude', new Map(Object.entries(claudeTools))],
  ['codex', new Map(Object.entries(codexTools))],
  ['cursor', new Map(Object.entries(cursorTools))],
  ['opencode', new Map(Object.entries(openCodeTools))],
  ['simulator', new Map(Object.entries(simulatorTools))],
])

/** How the names of tools of MCP servers begin; Cursor has its own prefix beside the one all share. */
const mcpPrefixes = ['mcp__', 'MCP:'] as const

/** Whether a tool is an MCP server's: the name without what says so. */
export function mcpToolOf(tool: string): string | undefined {
  const prefix = mcpPrefixes.find((each) => tool.startsWith(each))
  return prefix === undefined ? undefined : tool.slice(prefix.length)
}

/** What a tool of an agent does. Names are case-sensitive; a tool in no table is `tool.unknown`. */
export function activityKindOf(agent: string, tool: string): ActivityKind {
  if (mcpToolOf(tool) !== undefined) return 'mcp.call'
  return tables.get(agent)?.get(tool) ?? 'tool.unknown'
}
