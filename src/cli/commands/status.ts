import {
  compareContacts,
  contactState,
  contactStates,
  type ContactState,
} from '../../client/contact-state.ts'
import type { Contact, Status } from '../../protocol/index.ts'
import { homeOf, shortPath } from '../cli-home.ts'
import { callDaemon } from '../control-client.ts'
import { safeJson, safeLine } from '../safe-text.ts'
import { styleFor, type Hue, type Style } from '../style.ts'
import { formatTable, type Cell } from '../table.ts'
import { formatAge, formatCount, formatDuration } from '../amounts.ts'

export interface StatusOptions {
  readonly json?: boolean
  readonly link?: boolean
  readonly state?: string
}

/** Offline contacts that are listed; whoever wants all of them reads the JSON. */
const maxOffline = 10

/** `bridge status`: who is there, and who needs a person; or a new dashboard link. */
export async function showStatus(options: StatusOptions): Promise<void> {
  const home = homeOf(options.state)
  if (options.link === true) {
    const link = await callDaemon(home, 'links.create', {})
    process.stdout.write(options.json === true ? `${safeJson(link, 2)}\n` : `${safeLine(link.url)}\n`)
    return
  }
  const status = await callDaemon(home, 'status.get', {})
  const text =
    options.json === true ? safeJson(status, 2) : formatStatus(status, styleFor(process.stdout), Date.now())
  process.stdout.write(`${text}\n`)
}

/** The roster as a person reads it: whoever needs them comes first. */
export function formatStatus(status: Status, style: Style, now: number): string {
  const facts = [
    status.url,
    `up ${formatDuration(status.uptime_seconds * 1000)}`,
    count(status.log.events, 'event'),
    ...(status.clients > 0 ? [count(status.clients, 'client')] : []),
    ...(status.spooled > 0 ? [`${count(status.spooled, 'hook')} waiting in the spool`] : []),
  ]
  const title = `${style.paint('bold', `Agent Bridge ${safeLine(status.version)}`)}  ${facts.map((fact) => safeLine(fact)).join(' · ')}`
  return [title, '', ...formatRoster(status.contacts, style, now)].join('\n')
}

function formatRoster(contacts: readonly Contact[], style: Style, now: number): string[] {
  if (contacts.length === 0) {
    return ['No agents yet. Connect Claude Code with "bridge wire claude", or play one with "bridge demo".']
  }
  const sorted = contacts.toSorted(compareContacts)
  const live = sorted.filter((contact) => contact.status === 'live')
  const offline = sorted.filter((contact) => contact.status === 'offline')
  const rows = [...live, ...offline.slice(0, maxOffline)].map((contact) => {
    const state = contactState(contact)
    const { glyph, word } = contactStates[state]
    const quiet: Hue | undefined = state === 'idle' || state === 'offline' ? 'grey' : undefined
    const row: Cell[] = [
      { text: glyph, hue: hues[state] },
      { text: safeLine(contact.name, 40), hue: quiet },
      { text: word, hue: hues[state] },
      { text: safeLine(contact.agent, 40), hue: quiet },
      { text: safeLine(shortPath(contact.directory), 400), hue: quiet },
      { text: safeLine(contact.reason, 400), hue: 'grey' },
      { text: formatAge(contact.last_seen_at, now), hue: 'grey' },
    ]
    return row
  })
  const hidden = offline.length - maxOffline
  const more = hidden > 0 ? [style.paint('grey', `  and ${hidden} more that are offline`)] : []
  return [...formatTable(rows, style), ...more]
}

const hues: Readonly<Record<ContactState, Hue>> = {
  asks: 'amber',
  failed: 'red',
  done: 'green',
  working: 'blue',
  idle: 'grey',
  offline: 'grey',
}

function count(amount: number, noun: string): string {
  return `${formatCount(amount)} ${noun}${amount === 1 ? '' : 's'}`
}
