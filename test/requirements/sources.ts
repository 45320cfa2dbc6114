/**
 * The documents a requirement can come from, with the places in them. The documents are not part of this
 * repository, so the places are kept here; one without headings is divided by the opening words of its
 * paragraphs and tables.
 */
const sources = {
  'agent-bridge-readme.md': [
    'Agent Bridge',
    'Architecture',
    'Repo layout',
    'Run the bridge',
    'Wire up your agent',
    'HTTP API',
    'Note on permission verdicts',
    'WebSocket API',
    'Smoke test',
    'Firebase sync (optional)',
    'ESP32 firmware',
    'Security',
    'Troubleshooting',
    'Further reading',
  ],
  'bridge-plugin-runtime.md': [
    'A plugin is one executable…',
    'Scan…',
    'Plugins execute with…',
    'Envelope, always…',
    'event | fires when | data',
    'One JSON object per line…',
    'action | shape | effect',
    'Rate limit…',
    'Per event…',
    'examples/plugins/memory-keeper…',
    'No remote…',
  ],
  'hrdx-plugin-runtime.md': [
    'Status: experimental…',
    'Plugins are trusted…',
    'Neither manifests nor…',
    'All host UI mutations…',
    'Raw peer stderr…',
    'hrdx plugins list…',
    'The default root…',
    'Roots are inspected…',
    'A missing default root…',
    'Inventory accepts…',
    'List returns zero…',
    'Field | Rules',
    'Entrypoints cannot be…',
    'Plugin IDs must…',
    'Action and view IDs…',
    'A manifest is at most…',
    'Activation markers gate…',
    'Configuration options are…',
    'Approve an explicit…',
    'Approval records live…',
    'The digest covers…',
    'Enabled records are…',
    'Additional grants…',
    'The runtime uses…',
    'ctrl+b P opens…',
    'Plugin processes belong…',
    'Split and tab panes…',
    'Every frame is…',
    'The peer starts…',
    'Bidirectional calls use…',
    'Resource IDs are…',
    'Shutdown is…',
    'A declared menu…',
    'When the host finder…',
    'Every method below…',
    'Method | Grant | Parameters and behavior',
    'status omits unapproved…',
    'Errors include…',
    'Subscribe returns…',
    'Storage lives under…',
    'Storage operations run…',
    'Views are optional…',
    'focus:true is honored…',
    'A view may set dock…',
    'With --plugins absent…',
    'Workspaces are addressed…',
    'Manifests and peers declare…',
    'Existing state files…',
  ],
  'bridged-wiki-diff.md': [
    'Home',
    'Approaches: comparison',
    'Architecture: subscription boundary',
    'Architecture: channel 1',
    'Architecture: channel 2',
    'Architecture: guardrails',
    'Architecture: deployment',
    'Architecture: failure modes',
    'Message-Server: capabilities',
    'Message-Server: how a reply is consumed',
    'Message-Server: components',
    'Message-Server: spawn with environment',
    'Message-Server: reply envelope',
    'Message-Server: delivery gating',
    'Message-Server: async duplex',
    'Message-Server: worker lifecycle',
    'Message-Server: subscription boundary',
    'Message-Server: API surface',
    'Message-Server: security',
    'Message-Server: trade-offs',
    'Operations: scope',
    'Operations: guardrails',
    'Setup: scope',
  ],
  'bug-cases.md': ['Area 1', 'Area 2', 'Area 3', 'Area 4', 'Area 5', 'Area 6'],
  // Decides where seeds meet, contradict or are silent.
  'design.md': [
    'One word for each thing',
    'Processes',
    'The flow',
    'Home',
    'Access',
    'Contacts',
    'Status is evidence, not a guess',
    'Stop is not always the end',
    'Delivery is write-ahead',
    'Text',
    'Blocking delegation',
    'Requests and verdicts',
    'Guard',
    'Recycle',
    'Broker',
    'Loops',
    'Event plugins',
    'Peer plugins',
    'Several interfaces at once',
    'Lockdown',
    'Secrets and audit',
    'Hooks cost the agent almost nothing, and none is lost',
    'Installers',
    'Platform',
  ],
} as const

type SourceFile = keyof typeof sources
type SectionOf<File extends SourceFile> = (typeof sources)[File][number]

/** A section, or a section and the section of `design.md` that decides how its promise is kept. */
type Place<File extends SourceFile> = SectionOf<File> | `${SectionOf<File>} → ${SectionOf<'design.md'>}`

/** The promises of one document: by place, then by id, each behaviour in our own words. */
export type Seed<File extends SourceFile> = { readonly [P in Place<File>]?: Readonly<Record<string, string>> }

/** The `source` of a requirement in words: `seed.md, "Section"; design.md, "Section"`. */
export function sourceText(file: string, place: string): string {
  const [section, decision] = place.split(' → ')
  return `${file}, "${section}"` + (decision === undefined ? '' : `; design.md, "${decision}"`)
}

/** True when every part of a `source` is a document and a place listed here. */
export function isKnownSource(source: string): boolean {
  return source.split('; ').every((part) => {
    const [, file = '', section = ''] = /^(\S+), "(.+)"$/.exec(part) ?? []
    const known: Readonly<Record<string, readonly string[]>> = sources
    return known[file]?.includes(section) ?? false
  })
}
