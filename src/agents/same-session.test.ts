import { expect, test } from 'vitest'
import type { ActivityKind, AgentEventKind } from '../protocol/index.ts'
import { adapters } from './index.ts'
import { Tracker } from './tracking/tracker.ts'

type Hooks = readonly (readonly [type: string, payload: Record<string, unknown>])[]

const cursor = { conversation_id: 's1', generation_id: 'g1', workspace_roots: ['/home/dev'] }
const gemini = { session_id: 's1', cwd: '/home/dev' }

/** The same session in each agent's own hooks: a prompt, a file read, a command run, an answer. */
const sessions: readonly { agent: string; kinds?: readonly ActivityKind[]; hooks: Hooks }[] = [
  { agent: 'claude', hooks: claudeShaped() },
  { agent: 'simulator', hooks: claudeShaped() },
  {
    agent: 'codex',
    // Codex has no tool that reads: it runs a command.
    kinds: ['shell.exec', 'shell.exec'],
    hooks: [
      ['SessionStart', { ...codex(), source: 'startup' }],
      ['UserPromptSubmit', { ...codex('t1'), prompt: 'mend it' }],
      ['PreToolUse', { ...codex('t1'), ...codexTool('call_1', 'cat main.ts') }],
      [
        'PostToolUse',
        { ...codex('t1'), ...codexTool('call_1', 'cat main.ts'), tool_response: 'for (;;) {}' },
      ],
      ['PreToolUse', { ...codex('t1'), ...codexTool('call_2', 'npm test') }],
      ['PostToolUse', { ...codex('t1'), ...codexTool('call_2', 'npm test'), tool_response: 'ok' }],
      ['Stop', { ...codex('t1'), stop_hook_active: false, last_assistant_message: 'Mended.' }],
      ['agent-turn-complete', { type: 'agent-turn-complete', 'thread-id': 's1', 'turn-id': 't1' }],
      ['agent-turn-complete', { type: 'agent-turn-complete', 'thread-id': 'hidden', 'turn-id': 't9' }],
      ['SessionEnd', { ...codex(), reason: 'other' }],
    ],
  },
  {
    agent: 'cursor',
    hooks: [
      ['sessionStart', { ...cursor, session_id: 's1' }],
      ['beforeSubmitPrompt', { ...cursor, prompt: 'mend it', attachments: [] }],
      ['preToolUse', { ...cursor, ...tool('Read', { file_path: '/home/dev/main.ts' }, 'tool_1') }],
      ['beforeReadFile', { ...cursor, file_path: '/home/dev/main.ts', content: 'for (;;) {}' }],
      ['postToolUse', { ...cursor, ...tool('Read', { file_path: '/home/dev/main.ts' }, 'tool_1') }],
      ['preToolUse', { ...cursor, ...tool('Shell', { command: 'npm test' }, 'tool_2') }],
      ['beforeShellExecution', { ...cursor, command: 'npm test', cwd: '/home/dev' }],
      ['afterShellExecution', { ...cursor, command: 'npm test', output: 'ok', duration: 5 }],
      ['postToolUse', { ...cursor, ...tool('Shell', { command: 'npm test' }, 'tool_2') }],
      ['afterAgentResponse', { ...cursor, text: 'Mended.' }],
      ['stop', { ...cursor, status: 'completed', loop_count: 0 }],
      ['sessionEnd', { ...cursor, session_id: 's1', reason: 'completed' }],
    ],
  },
  {
    agent: 'opencode',
    hooks: [
      openCode('session.created', { info: { id: 's1', directory: '/home/dev' } }),
      [
        'chat.message',
        {
          input: { sessionID: 's1' },
          output: { message: { id: 'msg_1', role: 'user' }, parts: [{ type: 'text', text: 'mend it' }] },
        },
      ],
      openCode('message.updated', { info: { id: 'msg_1', role: 'user' } }),
      openCode('message.part.updated', {
        part: { type: 'text', text: 'mend it', messageID: 'msg_1', id: 'p1' },
      }),
      openCode('session.status', { status: { type: 'busy' } }),
      openCode('message.updated', { info: { id: 'msg_2', role: 'assistant' } }),
      openCodeTool('tool.execute.before', 'read', 'call_1', { filePath: '/home/dev/main.ts' }),
      openCodePart('running', 'read', 'call_1', { filePath: '/home/dev/main.ts' }),
      openCodeTool('tool.execute.after', 'read', 'call_1', { filePath: '/home/dev/main.ts' }),
      openCodePart('completed', 'read', 'call_1', { filePath: '/home/dev/main.ts' }),
      openCodeTool('tool.execute.before', 'bash', 'call_2', { command: 'npm test' }),
      openCodePart('running', 'bash', 'call_2', { command: 'npm test' }),
      openCodePart('running', 'bash', 'call_2', { command: 'npm test' }, 'evt_again'),
      openCodeTool('tool.execute.after', 'bash', 'call_2', { command: 'npm test' }),
      openCodePart('completed', 'bash', 'call_2', { command: 'npm test' }),
      [
        'experimental.text.complete',
        { input: { sessionID: 's1', messageID: 'msg_2', partID: 'p2' }, output: { text: 'Mended.' } },
      ],
      openCode('message.part.updated', {
        part: { type: 'text', text: 'Mended.', messageID: 'msg_2', id: 'p2', time: { start: 1, end: 2 } },
      }),
      openCode('session.status', { status: { type: 'idle' } }),
      openCode('session.idle', {}),
      openCode('session.deleted', { info: { id: 's1' } }),
    ],
  },
  {
    agent: 'gemini',
    hooks: [
      ['SessionStart', { ...gemini, source: 'startup' }],
      ['BeforeAgent', { ...gemini, prompt: 'mend it' }],
      ['PreCompress', { ...gemini, trigger: 'auto' }],
      ['BeforeModel', { ...gemini, llm_request: {} }],
      ['AfterModel', { ...gemini, llm_response: { text: 'I ' } }],
      ['BeforeTool', { ...gemini, tool_name: 'read_file', tool_input: { file_path: 'main.ts' } }],
      ['AfterTool', { ...gemini, tool_name: 'read_file', tool_input: { file_path: 'main.ts' } }],
      ['BeforeTool', { ...gemini, tool_name: 'run_shell_command', tool_input: { command: 'npm test' } }],
      ['AfterTool', { ...gemini, tool_name: 'run_shell_command', tool_input: { command: 'npm test' } }],
      ['AfterAgent', { ...gemini, prompt: 'mend it', prompt_response: 'Mended.', stop_hook_active: false }],
      ['SessionEnd', { ...gemini, reason: 'exit' }],
      ['SessionEnd', { ...gemini, reason: 'exit' }],
      ['SessionEnd', { ...gemini, reason: 'exit' }],
    ],
  },
]

const expected: readonly AgentEventKind[] = [
  'session.started',
  'turn.started',
  'message.user',
  'activity.started',
  'activity.finished',
  'activity.started',
  'activity.finished',
  'message.assistant',
  'turn.ended',
  'session.ended',
]

test.each(sessions)(
  'the same session gives the same kinds in the same order: $agent',
  ({ agent, hooks, kinds = ['file.read', 'shell.exec'] }) => {
    const adapter = adapters.get(agent)
    const tracker = new Tracker()
    const events = hooks.flatMap(([type, payload], index) => {
      const at = 1_000 + index * 30
      const parsed = adapter?.parse({ type, payload, at })
      return parsed ? tracker.apply(parsed, at).events : []
    })
    expect(events.map(({ event }) => event.kind)).toEqual(expected)
    expect(events.every(({ sessionId }) => sessionId === 's1')).toBe(true)
    const inTurn = events.slice(1, -1).map(({ turnId }) => turnId)
    expect(inTurn[0]).toBeDefined()
    expect(new Set(inTurn).size).toBe(1)
    const activities = events.flatMap(({ event }) =>
      'activity' in event && event.activity ? [event.activity] : [],
    )
    const ids = activities.map(({ id }) => id)
    expect(ids).toEqual([ids[0], ids[0], ids[2], ids[2]])
    expect(ids[0]).not.toBe(ids[2])
    expect([activities[0]?.kind, activities[2]?.kind]).toEqual(kinds)
    expect(activities[2]?.summary).toBe('npm test')
    expect(events.map(({ event }) => event)).toMatchObject([
      { cause: 'startup' },
      { prompt: 'mend it' },
      { text: 'mend it' },
      {},
      {},
      {},
      {},
      { text: 'Mended.' },
      { cause: 'completed', last_assistant_text: 'Mended.' },
      {},
    ])
  },
)

test('every agent plays the session', () => {
  expect(sessions.map(({ agent }) => agent).sort()).toEqual([...adapters.keys()].sort())
})

function claudeShaped(): Hooks {
  const base = { session_id: 's1', cwd: '/home/dev', prompt_id: 'p1' }
  const read = tool('Read', { file_path: '/home/dev/main.ts' }, 'toolu_1')
  const bash = tool('Bash', { command: 'npm test' }, 'toolu_2')
  return [
    ['SessionStart', { session_id: 's1', cwd: '/home/dev', source: 'startup' }],
    ['UserPromptSubmit', { ...base, prompt: 'mend it' }],
    ['PreToolUse', { ...base, ...read }],
    ['PostToolUse', { ...base, ...read }],
    ['PreToolUse', { ...base, ...bash }],
    ['PostToolUse', { ...base, ...bash }],
    ['PostToolBatch', { ...base, tool_calls: [read, bash] }],
    ['MessageDisplay', { ...base, message_id: 'm1', index: 0, final: true, delta: 'Mended.' }],
    ['Stop', { ...base, last_assistant_message: 'Mended.' }],
    ['SessionEnd', { ...base, reason: 'other' }],
  ]
}

function tool(name: string, input: object, id: string) {
  return { tool_name: name, tool_input: input, tool_use_id: id }
}

function codex(turn?: string) {
  return { session_id: 's1', cwd: '/home/dev', ...(turn && { turn_id: turn }) }
}

function codexTool(id: string, command: string) {
  return tool('Bash', { command }, id)
}

function openCode(type: string, properties: object, id = `evt_${type}`): [string, Record<string, unknown>] {
  return [type, { id, type, properties: { sessionID: 's1', ...properties } }]
}

function openCodeTool(
  hook: string,
  name: string,
  callID: string,
  args: object,
): [string, Record<string, unknown>] {
  const input = { tool: name, sessionID: 's1', callID }
  if (hook === 'tool.execute.before') return [hook, { input, output: { args } }]
  return [hook, { input: { ...input, args }, output: { output: 'ok', metadata: {} } }]
}

function openCodePart(
  status: string,
  name: string,
  callID: string,
  input: object,
  id = `evt_${status}_${callID}`,
) {
  const state = { status, input, output: 'ok', metadata: {}, time: { start: 1, end: 2 } }
  const part = {
    id: `prt_${callID}`,
    messageID: 'msg_2',
    sessionID: 's1',
    type: 'tool',
    tool: name,
    callID,
    state,
  }
  return openCode('message.part.updated', { part }, id)
}
