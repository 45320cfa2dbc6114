// How the agent-bridge plugin for OpenCode hands hooks to the bridge: one after the other, each over a connection of
// its own (fetch would hand them to a proxy) and waited for no longer than BRIDGE_HOOK_TIMEOUT_MS. What the bridge does
// not take waits in <home>/spool, in the format of hook.js.
//
// Settings as in hook.js: BRIDGE_HOME, then BRIDGE_URL, BRIDGE_TOKEN and BRIDGE_HOOK_TIMEOUT_MS, or url, token and
// timeout_ms of <home>/forward.

import * as fs from 'node:fs'
import { connect } from 'node:net'
import { homedir } from 'node:os'
import { connect as connectTls } from 'node:tls'

const DEFAULT_TIMEOUT_MS = 500 // seed agent-bridge-readme, BRIDGE_HOOK_TIMEOUT_MS
const MAX_TIMEOUT_MS = 5_000
const MAX_WAITING = 500 // hooks on their way; what comes beyond goes into the spool at once
const PAUSE_MS = 5_000 // after a bridge that did not answer in time is not waited for again
const SETTINGS_MS = 1_000
const MAX_TEXT = 100_000 // characters kept of one text in a hook
const MAX_BODY_BYTES = 1_000_000
const REDUCED_BYTES = 64 << 10
const MAX_SPOOL_FILES = 10_000
const MAX_SPOOL_BYTES = 64 << 20

/** @typedef {{ id: string, at: number, body: Buffer }} Message */
/** @typedef {{ home: string, url: string, token: string, timeoutMs: number, source: [string, string][] }} Settings */

/**
 * Hooks on their way to the bridge.
 *
 * @param {string | undefined} customHome the bridge's home, only where it is not ~/.bridge
 */
export function openOutbox(customHome) {
  /** @type {Message[]} */
  const waiting = []
  let busy = false
  let count = 0
  let pauseUntil = 0
  /** @type {Settings | undefined} */
  let settings
  let readAt = 0

  const currentSettings = () => {
    const now = Date.now()
    if (!settings || Math.abs(now - readAt) > SETTINGS_MS) {
      settings = readSettings(customHome)
      readAt = now
    }
    return settings
  }

  const pump = async () => {
    if (busy) return
    busy = true
    try {
      for (let message = waiting[0]; message; message = waiting[0]) {
        const current = currentSettings()
        const outcome = Date.now() < pauseUntil ? 'late' : await post(message, current)
        if (outcome === 'late' && Date.now() >= pauseUntil) pauseUntil = Date.now() + PAUSE_MS
        // The end of the process may have come in between, and have put it aside.
        if (waiting[0] !== message) continue
        waiting.shift()
        if (outcome !== 'taken') spool(message, current)
      }
    } finally {
      busy = false
    }
  }

  process.once('exit', () => {
    for (const message of waiting.splice(0)) spool(message, currentSettings())
  })

  return {
    /** @param {unknown} hook */
    send(hook) {
      const text = JSON.stringify(hook, (_, value) =>
        typeof value === 'string' && value.length > MAX_TEXT ? value.slice(0, MAX_TEXT) : value,
      )
      const at = Date.now()
      // In the order of their names, also within one millisecond.
      count += 1
      const end = (count % 2 ** 24) * 2 ** 24 + Math.floor(Math.random() * 2 ** 24)
      const id = `${at}-${process.pid}-${end.toString(16).padStart(12, '0')}`
      const message = { id, at, body: Buffer.from(text) }
      if (waiting.length >= MAX_WAITING) return spool(message, currentSettings())
      waiting.push(message)
      pump().catch(() => {})
    },
  }
}

/**
 * @param {string | undefined} customHome
 * @returns {Settings}
 */
function readSettings(customHome) {
  const { env } = process
  const home = env.BRIDGE_HOME || customHome || `${env.HOME || homedir()}/.bridge`
  /** @type {Record<string, string>} */
  const file = {}
  try {
    for (const line of fs.readFileSync(`${home}/forward`, 'utf8').split(/\r?\n/)) {
      const at = line.indexOf('=')
      if (at > 0) file[line.slice(0, at)] = line.slice(at + 1)
    }
  } catch {
    // The daemon has not run here yet: the environment and the defaults are what there is.
  }
  const url = env.BRIDGE_URL || file.url || 'http://127.0.0.1:8787'
  // The token of the file goes where the file says or to this machine, wherever BRIDGE_URL points.
  const trusted = url === file.url || /^https?:\/\/(127\.[\d.]+|localhost|\[::1\])(:|\/|$)/.test(url)
  const asked = Number(env.BRIDGE_HOOK_TIMEOUT_MS || file.timeout_ms)
  const pane = env.TMUX && env.TMUX_PANE ? `${env.TMUX.split(',')[0]},${env.TMUX_PANE}` : ''
  return {
    home,
    url,
    token: env.BRIDGE_TOKEN || (trusted ? file.token : '') || '',
    timeoutMs: asked >= 1 ? Math.min(asked, MAX_TIMEOUT_MS) : DEFAULT_TIMEOUT_MS,
    source: [
      ['Contact', env.BRIDGE_CONTACT ?? ''],
      ['Pane', pane],
    ],
  }
}

/**
 * Posts one hook. `taken`: it is stored, or refused for good; `late`: nobody answered in time.
 *
 * @param {Message} message
 * @param {Settings} settings
 * @returns {Promise<'taken' | 'failed' | 'late'>}
 */
function post({ id, at, body }, { url, token, timeoutMs, source }) {
  return new Promise((resolve) => {
    const target = URL.canParse(url) ? new URL(url) : undefined
    if (!target || !token || !/^https?:$/.test(target.protocol)) return resolve('failed')
    const secure = target.protocol === 'https:'
    const port = Number(target.port) || (secure ? 443 : 80)
    const host = target.hostname === 'localhost' ? '127.0.0.1' : target.hostname.replace(/^\[|\]$/g, '')
    const head = [
      `POST ${target.pathname.replace(/\/+$/, '')}/hooks/opencode HTTP/1.0`,
      `Host: ${target.host}`,
      `Authorization: Bearer ${printable(token)}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      `X-Bridge-Hook-Id: ${id}`,
      `X-Bridge-Hook-Time: ${at}`,
      ...source.flatMap(([key, value]) => (value ? [`X-Bridge-${key}: ${printable(value)}`] : [])),
    ]
    let answer = ''
    const socket = secure
      ? connectTls({ host, port, servername: /^[\d.]+$|:/.test(host) ? '' : host })
      : connect({ host, port })
    /** @param {'taken' | 'failed' | 'late'} outcome */
    const finish = (outcome) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(outcome)
    }
    const timer = setTimeout(() => finish('late'), timeoutMs)
    const judge = () => {
      const status = Number(/^HTTP\/1\.\d (\d{3})/.exec(answer)?.[1] ?? 0)
      return (status >= 200 && status < 300) || (status >= 400 && status < 500) ? 'taken' : 'failed'
    }
    socket.on('data', (/** @type {Buffer} */ chunk) => {
      answer += chunk.toString('latin1')
      if (answer.includes('\n')) finish(judge())
    })
    socket.on('end', () => finish(judge()))
    socket.on('error', () => finish('failed'))
    socket.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]))
  })
}

// -- the spool ------------------------------------------------------------------------------------------------

/**
 * Leaves a hook for the next look of the daemon, if there is a home and room in its spool.
 *
 * @param {Message} message
 * @param {Settings} settings
 */
function spool({ id, at, body: whole }, { home, source }) {
  try {
    const directory = `${home}/spool`
    if (!fs.existsSync(home)) return
    if (!fs.existsSync(directory)) fs.mkdirSync(directory, { mode: 0o700 })
    const reduced = whole.length > MAX_BODY_BYTES
    const body = reduced ? whole.subarray(0, REDUCED_BYTES) : whole
    const sizes = fs.readdirSync(directory).flatMap((name) => /\.(\d+)\.(?:hook|tmp)$/.exec(name)?.[1] ?? [])
    const bytes = sizes.reduce((sum, size) => sum + Number(size), body.length)
    if (sizes.length >= MAX_SPOOL_FILES || bytes > MAX_SPOOL_BYTES) return
    const head = [
      'Agent: opencode',
      `Id: ${id}`,
      `Time: ${at}`,
      ...source.flatMap(([key, value]) => (value ? [`${key}: ${printable(value)}`] : [])),
      `Length: ${body.length}`,
      ...(reduced ? ['Truncated: true'] : []),
    ]
    const text = Buffer.concat([Buffer.from(`${head.join('\n')}\n\n`, 'latin1'), body])
    const path = `${directory}/${id}.${text.length}`
    fs.writeFileSync(`${path}.tmp`, text, { mode: 0o600, flag: 'wx' })
    fs.renameSync(`${path}.tmp`, `${path}.hook`)
  } catch {
    // A full disk, or a home of somebody else: the hook is lost, and OpenCode goes on.
  }
}

/** @param {string} value */
function printable(value) {
  return value.slice(0, 1024).replace(/[^ -~]/g, '?')
}
