/** Where an agent's settings are, and what would be written into them. */
export interface WiringOptions {
  readonly homeDir: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The bridge's own home. */
  readonly bridgeHome: string
  /** The directory of `hook.pl` and `hook.js`; absolute. */
  readonly forwarderDir: string
  readonly nodePath: string
  /** Absent: the machine has no Perl, and the forwarder runs on Node. */
  readonly perlPath?: string | undefined
  /** The project whose settings count as well; absent: only the user's. */
  readonly directory?: string | undefined
}

export interface WireOptions extends WiringOptions {
  /** `project`: only what runs in `directory`, and only for this user. */
  readonly scope: 'user' | 'project'
  /** The agent posts its hooks itself, where it can. */
  readonly http?: boolean | undefined
}

export interface WireOutcome {
  /** The settings file, as it was asked for. */
  readonly path: string
  readonly changed: boolean
  /** The copy from before the edit. */
  readonly backup?: string
  /** The hook events that are wired now, or that no longer are. */
  readonly events: readonly string[]
  /** What the user should know, each a sentence without its full stop. */
  readonly notes: readonly string[]
}

/** A shell command; with `args` a program of its own, which no shell sees. */
export interface CommandHook {
  readonly type: 'command'
  readonly command: string
  readonly args?: readonly string[]
}

/** The agent posts the hook itself. `$NAME` in a header stands for a variable, if it is in `allowedVariables`. */
export interface HttpHook {
  readonly type: 'http'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly allowedVariables: readonly string[]
}

/** One of our entries in an agent's settings. */
export interface WiredHook {
  readonly path: string
  readonly event: string
  /** Only what fits it reaches the hook: somebody moved it there. */
  readonly matcher?: string | undefined
  readonly hook: CommandHook | HttpHook
}

/** One settings file that counts for an agent. */
export interface WiredFile {
  readonly path: string
  /** The events that have an entry of ours; none: the file is not wired. */
  readonly events: readonly string[]
  readonly missing: readonly string[]
  /** Events whose entry is not what `wire` would write now. */
  readonly outdated: readonly string[]
  /** How many hooks of others are in it. */
  readonly foreign: number
  /** Why the file could not be read. */
  readonly problem?: string | undefined
}

/** What an agent's settings say about our hooks. */
export interface WiringReport {
  readonly files: readonly WiredFile[]
  readonly hooks: readonly WiredHook[]
  /** Plugins of the agent that bring the same hooks and are enabled. */
  readonly plugins: readonly string[]
  /** Hooks that come more than once and why, each a sentence without its full stop. */
  readonly twice: readonly string[]
  /** The settings that switch all hooks off, and where they stand. */
  readonly disabledBy: readonly { readonly path: string; readonly setting: string }[]
  /** Variables that the settings give to what the agent starts. They may hold secrets: never print them. */
  readonly env: Readonly<Record<string, string>>
}

/** A hook as the agent would send it. */
export interface ProbeHook {
  readonly event: string
  readonly payload: Readonly<Record<string, unknown>>
}

/** Hooks that harm nothing, of a session nobody has. */
export interface ProbeHooks {
  /** In the order of preference: one of them is played. */
  readonly begin: readonly ProbeHook[]
  /** Ends the session, so that no contact stays behind alive. */
  readonly end: ProbeHook
}

/** What the bridge can do with the settings of one kind of agent. */
export interface AgentWiring {
  wire(options: WireOptions): Promise<WireOutcome>
  unwire(options: WireOptions): Promise<WireOutcome>
  /** Looks at the settings and changes nothing. */
  inspect(options: WiringOptions): WiringReport
  probeHooks(session: { readonly id: string; readonly directory: string }): ProbeHooks
}
