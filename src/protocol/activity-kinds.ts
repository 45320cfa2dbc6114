/** What an activity does, whatever the agent calls its tool (seed agent-bridge-readme, "WebSocket API"). */
export const activityKinds = [
  'file.read',
  'file.write',
  'file.delete',
  'shell.exec',
  'shell.background',
  'search.code',
  'search.files',
  'web.fetch',
  'web.search',
  'mcp.call',
  'todo.write',
  'subagent.spawn',
  'notebook.edit',
  'image.generate',
  'plan.exit',
  'tool.unknown',
] as const
export type ActivityKind = (typeof activityKinds)[number]
