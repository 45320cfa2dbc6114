import { HookWriter, type SimulatedHook } from './hooks.ts'

export type { SimulatedHook } from './hooks.ts'

/** What a simulated session is made of. */
export interface SimulationOptions {
  /** The same seed tells the same session, to the id. */
  readonly seed: number
  readonly sessionId?: string
  /** Where the agent pretends to work. */
  readonly directory?: string
  /** How often the story is told within the session; 1 by default, `Infinity` for a load that does not end. */
  readonly rounds?: number
}

/**
 * A session of an agent that mends a parser: it reads and searches in parallel, keeps a todo list, asks for a
 * permission and for an opinion, fails a test and mends it, sends a subagent, compacts its conversation, runs
 * into a model error, and ends. All kinds of events come out of it. The hooks are made as they are asked for.
 */
export function* simulateSession(options: SimulationOptions): Generator<SimulatedHook> {
  const { seed, sessionId, directory = '/home/dev/parser', rounds = 1 } = options
  const writer = new HookWriter(seed, sessionId, directory)
  writer.hook('SessionStart', 0, { source: 'startup', model: 'simulated' })
  for (let round = 0; round < rounds; round += 1) {
    for (const tell of [investigate, mend, delegate, stumble]) {
      tell(writer, directory)
      yield* writer.take()
    }
  }
  writer.hook('SessionEnd', 3_000, { reason: 'prompt_input_exit' })
  yield* writer.take()
}

function investigate(writer: HookWriter, directory: string): void {
  writer.prompt('Why does the parser lose the last line of a file without a newline?', 2_000)
  const read = writer.tool('Read', { file_path: `${directory}/src/parser.ts` })
  const grep = writer.tool('Grep', { pattern: 'split\\(', path: `${directory}/src` })
  const glob = writer.tool('Glob', { pattern: '**/*.test.ts' })
  writer.start(read, 1_200)
  writer.start(grep, 8)
  writer.start(glob, 6)
  writer.say('I will look at the parser and its tests.', 5)
  writer.finish(grep, 45, { content: 'src/parser.ts:41: lines = text.split(/\\n/)', numFiles: 1 })
  writer.finish(
    read,
    writer.random.between(15, 60),
    { file: { content: 'export function parse(text: string) {\n  // …\n}\n', numLines: 112 } },
    { assistant_text: ['The loop ends one line too early when the text does not end with a newline.'] },
  )
  writer.finish(glob, 20, { content: 'test/parser.test.ts' })
  writer.batch(read, grep, glob)
  writer.stop('The loop stops at the last newline.\nWhatever follows it is dropped.')
}

function mend(writer: HookWriter, directory: string): void {
  writer.prompt('Mend it, with a test.', 6_000)
  todo(writer, 'in_progress', 'pending', 'pending')
  const edit = writer.tool('Edit', {
    file_path: `${directory}/src/parser.ts`,
    old_string: 'i < newlines',
    new_string: 'i <= newlines',
  })
  writer.start(edit, 1_500)
  writer.say('First the loop.', 4)
  writer.finish(edit, 30, { filePath: `${directory}/src/parser.ts`, structuredPatch: [] })
  writer.batch(edit)
  writer.hook('FileChanged', 60, { file_path: `${directory}/src/parser.ts`, event: 'change' })
  todo(writer, 'completed', 'in_progress', 'pending')
  const failing = writer.tool('Bash', { command: 'npm test -- parser', description: 'Run the parser tests' })
  writer.start(failing, 900)
  writer.ask(failing)
  writer.hook('Notification', 6_000, {
    message: 'Claude needs your permission',
    notification_type: 'permission_prompt',
  })
  writer.fail(failing, 2_400, 'Exit code 1\n1 of 14 tests failed: an empty file has no lines')
  writer.batch(failing)
  const question = {
    question: 'Has an empty file no line, or one empty line?',
    header: 'Empty file',
    options: [{ label: 'No line' }, { label: 'One empty line' }],
    multiSelect: false,
  }
  const asked = writer.tool('AskUserQuestion', { questions: [question] })
  writer.start(asked, 1_100)
  writer.ask(asked)
  writer.finish(asked, 4_000, { questions: [question], answers: { [question.question]: 'No line' } })
  writer.batch(asked)
  const passing = writer.tool('Bash', { command: 'npm test', description: 'Run all tests' })
  writer.start(passing, 1_300)
  writer.ask(passing)
  writer.finish(passing, 3_100, { stdout: '61 tests passed', stderr: '' })
  writer.batch(passing)
  todo(writer, 'completed', 'completed', 'completed')
  writer.stop('The parser keeps the last line now, and a test proves it.')
}

function todo(writer: HookWriter, ...statuses: readonly string[]): void {
  const texts = ['Mend the loop', 'Add a test for the last line', 'Run all tests']
  const todos = texts.map((content, index) => ({ content, status: statuses[index], activeForm: content }))
  const tool = writer.tool('TodoWrite', { todos })
  writer.start(tool, 700)
  writer.finish(tool, 4, { oldTodos: [], newTodos: todos })
  writer.batch(tool)
}

function delegate(writer: HookWriter, directory: string): void {
  writer.prompt('Have somebody check the other parsers for the same mistake.', 8_000)
  const spawn = writer.tool('Agent', {
    description: 'Check the other parsers',
    prompt: 'Look for loops that end at the last newline.',
    subagent_type: 'Explore',
  })
  const subagent = { agent_id: `a${writer.random.hex(16)}`, agent_type: 'Explore' }
  writer.start(spawn, 1_400)
  writer.hook('SubagentStart', 50, subagent)
  writer.finish(spawn, 20, { isAsync: true, status: 'async_launched', agentId: subagent.agent_id })
  writer.batch(spawn)
  for (const name of ['csv', 'ini']) {
    const read = writer.tool('Read', { file_path: `${directory}/src/${name}.ts` })
    writer.start(read, 800, subagent)
    writer.finish(read, 25, { file: { content: `export function parse${name}() {}\n` } }, subagent)
  }
  writer.hook('SubagentStop', 1_200, { ...subagent, last_assistant_message: 'Both are right.' })
  writer.stop('The other parsers are right.')
  writer.hook('Notification', 2_000, {
    message: 'The conversation is nearly full',
    notification_type: 'context',
  })
}

function stumble(writer: HookWriter): void {
  writer.hook('PreCompact', 1_000, { trigger: 'auto', custom_instructions: null })
  writer.hook('SessionStart', 2_500, { source: 'compact' })
  writer.hook('PostCompact', 30, { trigger: 'auto', compact_summary: 'The parser was mended.' })
  writer.prompt('Write the changelog.', 5_000)
  writer.hook('StopFailure', 1_800, {
    error: 'rate_limit',
    last_assistant_message: 'API Error: Request rejected (429)',
  })
}
