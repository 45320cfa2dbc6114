#!/usr/bin/env node
// agent-bridge forwarder: what bin/hook.pl is, for machines without Perl and for addresses that Perl leaves
// to it (https, host names, IPv6). Its header says what both do; test/conformance/forwarder holds them equal.
//
// One file for Node 18 and newer, without a dependency, that runs as a module (in this package) and as a script
// (in the copy of the Claude plugin): hence neither `import` statements nor `require`.

const DEFAULT_TIMEOUT_MS = 500 // seed agent-bridge-readme, BRIDGE_HOOK_TIMEOUT_MS
const MAX_TIMEOUT_MS = 50_000 // below the timeout that the wiring gives the agent
const LEAST_READ_MS = 50 // for stdin when starting took all the time
const LEAST_POST_MS = 100 // left for the POST when stdin took all the time
const SAVE_AFTER_MS = 25 // a healthy bridge answers in two; from here on a kill could lose the hook
const MAX_BODY_BYTES = 1_000_000 // what the bridge takes; beyond it answers 413 and keeps the beginning
const MAX_STDIN_BYTES = 64 << 20
const PIECE_BYTES = 64 << 10
const REDUCED_BYTES = 64 << 10
const RAW_BYTES = 10 << 10
const MAX_SPOOL_FILES = 10_000
const MAX_SPOOL_BYTES = 64 << 20

/** @typedef {{ agent: string, type: string, named: string, id: string, body: Buffer, source: [string, string | undefined][], saved?: string | undefined }} ForwardedHook */
/** @typedef {{ kind: 'sent' | 'verdict' | 'refused' | 'spool', text: string }} Outcome */

const started = performance.timeOrigin
const now = () => performance.timeOrigin + performance.now()

let stopped = false
let complained = false
/** @type {() => void} */
let stopWaiting = () => {}
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
  process.on(signal, () => {
    stopped = true
    stopWaiting()
  })
}
process.on('uncaughtException', (error) => fail(error))
process.removeAllListeners('warning') // Node would write it to stderr
main().then(() => process.exit(0), fail)

async function main() {
  const fs = await import('node:fs')
  const [agent = '', argvType] = process.argv.slice(2)
  if (!/^[a-z0-9][a-z0-9._-]{0,63}$/.test(agent)) return complain('usage: hook.js AGENT [HOOK_TYPE]')
  const env = process.env
  const home = env.BRIDGE_HOME || `${env.HOME || (await import('node:os')).userInfo().homedir}/.bridge`
  const file = readSettings(fs, `${home}/forward`)
  const url = env.BRIDGE_URL || file.url || 'http://127.0.0.1:8787'
  const target = parseUrl(url)
  // The token of the file goes where the file says or to this machine, wherever BRIDGE_URL points.
  const trusted = url === file.url || (target && /^(127\.[\d.]+|localhost|\[::1\])$/.test(target.hostname))
  const token = env.BRIDGE_TOKEN || (trusted ? file.token : '') || ''

  const asked = env.BRIDGE_HOOK_TIMEOUT_MS || file.timeout_ms || ''
  const timeoutMs = /^[1-9]\d{0,8}$/.test(asked)
    ? Math.min(Number(asked), MAX_TIMEOUT_MS)
    : DEFAULT_TIMEOUT_MS

  if (process.stdin.isTTY) return undefined
  let body = await readPayload(timeoutMs)
  if (body.length === 0) return undefined
  if (body[0] !== 0x7b || (body.length <= MAX_BODY_BYTES && !isWhole(body))) {
    body = Buffer.from(JSON.stringify({ raw: beginningOf(body) }))
  }

  const named = /"hook_event_name"\s*:\s*"([^"\\]{1,100})"/.exec(body.toString('latin1'))?.[1] ?? ''
  const random = Math.floor(Math.random() * 2 ** 48)
  /** @type {ForwardedHook} */
  const hook = {
    agent,
    type: argvType ?? (named ? '' : 'unknown'),
    named,
    id: `${Math.floor(started)}-${process.pid}-${random.toString(16).padStart(12, '0')}`,
    body,
    source: [
      ['Contact', env.BRIDGE_CONTACT],
      ['Pid', env.CLAUDE_PID],
      ['Pane', env.TMUX_PANE && env.TMUX ? `${env.TMUX.split(',')[0]},${env.TMUX_PANE}` : ''],
    ],
  }

  const spool = `${home}/spool`
  /** @type {Outcome} */
  let outcome
  if (!target) outcome = { kind: 'spool', text: 'BRIDGE_URL is not an address the forwarder can reach' }
  else if (!token) outcome = { kind: 'spool', text: 'no token is set; start the bridge or set BRIDGE_TOKEN' }
  else outcome = await post(fs, target, token, hook, spool, timeoutMs)
  if (outcome.kind === 'spool') outcome.text += keep(fs, hook, spool, home)
  else if (hook.saved) fs.unlinkSync(hook.saved)
  if (outcome.kind === 'verdict') write(fs, 1, outcome.text)
  else if (outcome.kind !== 'sent') complain(outcome.text)
  return undefined
}

// -- settings -------------------------------------------------------------------------------------------------

/**
 * @param {typeof import('node:fs')} fs
 * @param {string} path
 */
function readSettings(fs, path) {
  /** @type {Record<string, string>} */
  const settings = {}
  try {
    for (const line of fs.readFileSync(path, 'utf8').split(/\r?\n/)) {
      const at = line.indexOf('=')
      if (at > 0) settings[line.slice(0, at)] = line.slice(at + 1)
    }
  } catch {
    // The daemon has not run here yet: the environment and the defaults are what there is.
  }
  return settings
}

/** @param {string} text */
function parseUrl(text) {
  try {
    const url = new URL(text)
    return /^https?:$/.test(url.protocol) ? url : undefined
  } catch {
    return undefined
  }
}

// -- stdin ----------------------------------------------------------------------------------------------------

/**
 * Whatever came until stdin ended, a whole JSON value was there, or time was up. Agents have left the pipe
 * open, so the end of the value is an end too.
 *
 * @param {number} timeoutMs
 * @returns {Promise<Buffer>}
 */
function readPayload(timeoutMs) {
  return new Promise((resolve) => {
    /** @type {Buffer[]} */
    const chunks = []
    let length = 0
    const scanner = createScanner()
    const finish = () => {
      process.stdin.pause()
      resolve(trim(Buffer.concat(chunks)))
    }
    stopWaiting = finish
    if (stopped) finish()
    // Silence is given up earlier, so that the whole run stays within the timeout.
    setTimeout(() => length === 0 && finish(), Math.max(started + timeoutMs * 0.8 - now(), LEAST_READ_MS))
    setTimeout(finish, Math.max(started + timeoutMs - now(), LEAST_READ_MS))
    process.stdin.on('data', (/** @type {Buffer} */ chunk) => {
      length += chunk.length
      if (length <= MAX_STDIN_BYTES) chunks.push(chunk)
      scanner.push(chunk)
      if (scanner.isWhole()) setImmediate(() => scanner.isWhole() && finish())
      else if (now() - started > timeoutMs) finish()
    })
    process.stdin.on('end', finish)
    process.stdin.on('error', finish)
  })
}

/** @param {Buffer} body */
function trim(body) {
  let at = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0
  while (isSpace(body[at])) at += 1
  return body.subarray(at)
}

/** @param {number | undefined} byte */
function isSpace(byte) {
  return byte === 0x20 || (byte !== undefined && byte >= 0x09 && byte <= 0x0d)
}

/** Whether the text is one JSON object; what stands between its brackets is for the bridge to judge. */
function createScanner() {
  let depth = 0
  let inString = false
  let escaped = false
  let ended = false
  let followed = false
  return {
    /** @param {Buffer} chunk */
    push(chunk) {
      for (const byte of chunk) {
        if (ended) followed ||= !isSpace(byte)
        else if (escaped) escaped = false
        else if (inString) {
          if (byte === 0x5c) escaped = true
          else if (byte === 0x22) inString = false
        } else if (byte === 0x22) inString = true
        else if (byte === 0x7b || byte === 0x5b) depth += 1
        else if (byte === 0x7d || byte === 0x5d) ended = --depth <= 0
      }
    },
    isWhole: () => ended && !followed,
  }
}

/** @param {Buffer} body */
function isWhole(body) {
  const scanner = createScanner()
  scanner.push(body)
  return scanner.isWhole()
}

/**
 * The beginning of what is not JSON: UTF-8 where it is that, else byte by byte.
 *
 * @param {Buffer} body
 */
function beginningOf(body) {
  const start = body.subarray(0, RAW_BYTES)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(start, {
      stream: body.length > RAW_BYTES,
    })
  } catch {
    return start.toString('latin1')
  }
}

// -- the bridge -----------------------------------------------------------------------------------------------

/**
 * @param {typeof import('node:fs')} fs
 * @param {URL} target
 * @param {string} token
 * @param {ForwardedHook} hook
 * @param {string} spool
 * @param {number} timeoutMs
 * @returns {Promise<Outcome>}
 */
async function post(fs, target, token, hook, spool, timeoutMs) {
  const name = `${target.protocol}//${target.host}`
  const deadline = Math.max(started + timeoutMs, now() + LEAST_POST_MS)
  const [contact, pid, pane] = hook.source.map(([, value]) => value)
  const head = [
    `POST ${target.pathname.replace(/\/+$/, '')}/hooks/${hook.agent} HTTP/1.0`, // 1.0: no chunks come back
    `Host: ${target.host}`,
    `Authorization: Bearer ${printable(token)}`,
    'Content-Type: application/json',
    `Content-Length: ${hook.body.length}`,
    `X-Bridge-Hook-Id: ${hook.id}`,
    `X-Bridge-Hook-Time: ${Math.floor(started)}`,
    ...headerLines('X-Bridge-', [
      ['Hook-Type', hook.type],
      ['Contact', contact],
      ['Agent-Pid', pid],
      ['Pane', pane],
    ]),
  ]
  const secure = target.protocol === 'https:'
  const port = Number(target.port) || (secure ? 443 : 80)
  const host = target.hostname === 'localhost' ? '127.0.0.1' : target.hostname.replace(/^\[|\]$/g, '')
  const { connect: connectTls } = secure ? await import('node:tls') : { connect: undefined }
  const { connect, isIP } = await import('node:net')

  const { answer, problem } = await new Promise(
    (/** @type {(end: { answer: Buffer, problem: string }) => void} */ resolve) => {
      let answer = Buffer.alloc(0)
      let problem = 'closed the connection'
      const socket = connectTls
        ? connectTls({ host, port, ...(isIP(host) ? {} : { servername: host }) })
        : connect({ host, port })
      const finish = () => resolve({ answer, problem })
      const giveUp = () => {
        problem = 'did not answer in time'
        finish()
      }
      stopWaiting = giveUp
      if (stopped) giveUp()
      setTimeout(giveUp, Math.max(deadline - now(), 1))
      setTimeout(() => {
        hook.saved = save(fs, hook, spool)
      }, SAVE_AFTER_MS)
      socket.on('data', (/** @type {Buffer} */ chunk) => {
        answer = Buffer.concat([answer, chunk])
        if (isAnswered(answer)) finish()
      })
      socket.on('end', finish)
      socket.on('error', (error) => {
        problem = `cannot be reached (${printable('code' in error ? error.code : error.message)})`
        finish()
      })
      const bytes = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), hook.body])
      // In pieces, with a look at what comes back between them: a bridge that has had enough answers and closes.
      const send = (/** @type {number} */ at) => {
        socket.write(bytes.subarray(at, at + PIECE_BYTES), () => {
          if (at + PIECE_BYTES < bytes.length) setImmediate(send, at + PIECE_BYTES)
        })
      }
      send(0)
    },
  )

  const { status, json } = readAnswer(answer)
  if (status === 200 && json !== undefined)
    return json ? { kind: 'verdict', text: json } : { kind: 'sent', text: '' }
  if (status > 200 && status < 300) return { kind: 'sent', text: '' }
  if (status >= 400 && status < 500)
    return { kind: 'refused', text: `${name} refused the hook with ${status}` }
  return { kind: 'spool', text: status ? `${name} answered ${status}` : `${name} ${problem}` }
}

/**
 * Enough to decide: any status but 200 by itself, 200 with its body.
 *
 * @param {Buffer} answer
 */
function isAnswered(answer) {
  if (answer.length > MAX_BODY_BYTES) return true
  const text = answer.toString('latin1')
  const status = /^HTTP\/1\.\d (\d{3})[^\n]*\n/.exec(text)?.[1]
  if (!status) return false
  if (status !== '200') return true
  const end = /\r?\n\r?\n/.exec(text)
  if (!end) return false
  const length = /^Content-Length:\s*(\d+)/im.exec(text.slice(0, end.index))?.[1]
  return length !== undefined && text.length - end.index - end[0].length >= Number(length)
}

/**
 * The status, 0 when there is none; with 200 the body of a JSON answer, empty when it is not whole.
 *
 * @param {Buffer} answer
 * @returns {{ status: number, json?: string }}
 */
function readAnswer(answer) {
  const text = answer.toString('latin1')
  const status = Number(/^HTTP\/1\.\d (\d{3})[^\n]*\n/.exec(text)?.[1] ?? 0)
  const end = /\r?\n\r?\n/.exec(text)
  if (status !== 200 || !end) return { status }
  const head = text.slice(0, end.index)
  if (!/^Content-Type:\s*application\/json\b/im.test(head)) return { status }
  const body = answer.subarray(end.index + end[0].length)
  const short = body.length < Number(/^Content-Length:\s*(\d+)/im.exec(head)?.[1] ?? 0)
  const whole = !short && trim(body)[0] === 0x7b && isWhole(body)
  return { status, json: whole ? body.toString('utf8') : '' }
}

// -- the spool ------------------------------------------------------------------------------------------------

/**
 * Writes the hook beside the ones that wait; `.tmp` until it is known that the bridge did not take it.
 *
 * @param {typeof import('node:fs')} fs
 * @param {ForwardedHook} hook
 * @param {string} spool
 * @returns {string | undefined}
 */
function save(fs, hook, spool) {
  const reduced = hook.body.length > MAX_BODY_BYTES
  const body = reduced ? hook.body.subarray(0, REDUCED_BYTES) : hook.body
  const head = headerLines('', [
    ['Agent', hook.agent],
    ['Hook-Type', hook.type || (reduced ? hook.named : '')],
    ['Id', hook.id],
    ['Time', String(Math.floor(started))],
    ...hook.source,
    ['Length', String(body.length)],
    ['Truncated', reduced ? 'true' : ''],
  ])
  const text = Buffer.concat([Buffer.from(`${head.join('\n')}\n\n`, 'latin1'), body])
  // The size stands in the name, so that counting the spool needs no look at each file.
  const path = `${spool}/${hook.id}.${text.length}.tmp`
  try {
    if (!fs.existsSync(spool)) fs.mkdirSync(spool, { mode: 0o700 })
    fs.writeFileSync(path, text, { mode: 0o600, flag: 'wx' })
    return path
  } catch {
    // keep() tries once more at the end and says what is wrong.
    return undefined
  }
}

/**
 * Leaves the hook for the next look of the daemon; returns what to add to the line on stderr.
 *
 * @param {typeof import('node:fs')} fs
 * @param {ForwardedHook} hook
 * @param {string} spool
 * @param {string} home
 */
function keep(fs, hook, spool, home) {
  if (!fs.existsSync(home)) return `, so the hook was dropped: there is no ${printable(home)}`
  let files = 0
  let bytes = 0
  for (const name of namesIn(fs, spool)) {
    const size = /\.(\d+)\.(?:hook|tmp)$/.exec(name)?.[1]
    if (!size) continue
    files += 1
    bytes += Number(size)
  }
  if (!hook.saved) {
    files += 1
    bytes += hook.body.length > MAX_BODY_BYTES ? REDUCED_BYTES : hook.body.length
  }
  if (files > MAX_SPOOL_FILES || bytes > MAX_SPOOL_BYTES) {
    if (hook.saved) fs.unlinkSync(hook.saved)
    return ' and the spool is full, so the hook was dropped'
  }
  hook.saved ||= save(fs, hook, spool)
  if (!hook.saved) return ' and the hook could not be spooled'
  fs.renameSync(hook.saved, hook.saved.replace(/tmp$/, 'hook'))
  return '; the hook waits in the spool'
}

/**
 * @param {typeof import('node:fs')} fs
 * @param {string} directory
 */
function namesIn(fs, directory) {
  try {
    return fs.readdirSync(directory)
  } catch {
    // Not there yet; if it cannot be made, saving says so.
    return []
  }
}

// -- small things ---------------------------------------------------------------------------------------------

/**
 * @param {string} prefix
 * @param {[string, string | undefined][]} pairs
 */
function headerLines(prefix, pairs) {
  return pairs.flatMap(([key, value]) => (value ? [`${prefix}${key}: ${printable(value)}`] : []))
}

/** @param {unknown} value */
function printable(value) {
  return String(value)
    .slice(0, 1024)
    .replace(/[^ -~]/g, '?')
}

/**
 * @param {typeof import('node:fs')} fs
 * @param {number} fd
 * @param {string} text
 */
function write(fs, fd, text) {
  const bytes = Buffer.from(text)
  let at = 0
  const deadline = now() + LEAST_POST_MS
  while (at < bytes.length && now() < deadline) {
    try {
      at += fs.writeSync(fd, bytes, at)
    } catch (error) {
      // A pipe that is full for the moment; anything else means that nobody reads.
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return
    }
  }
}

/** @param {string} text */
function complain(text) {
  if (!complained) process.stderr.write(`agent-bridge: ${text}\n`)
  complained = true
}

/** @param {unknown} error */
function fail(error) {
  complain(`the forwarder failed: ${printable(error instanceof Error ? error.message : error)}`)
  process.exit(0)
}
