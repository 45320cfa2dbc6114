import { dirname, join } from 'node:path'
import type { Logger } from 'pino'
import { openAudit } from '../access/audit.ts'
import { createOriginRules } from '../access/origin-rules.ts'
import { createTickets } from '../access/tickets.ts'
import { openTokens, tokensSchema } from '../access/tokens.ts'
import { readSessionFile } from '../agents/claude/session-file.ts'
import { readReply } from '../agents/transcript.ts'
import { loadAdapters } from '../agents/index.ts'
import { openSpool } from '../agents/forwarder/spool.ts'
import type { Config } from '../config/config.ts'
import { prepareHome } from '../config/home.ts'
import { hostInUrl } from '../config/host-name.ts'
import { loadMasterToken } from '../config/master-token.ts'
import { contactsSchema } from '../contacts/contact-table.ts'
import { ContactRegistry } from '../contacts/registry.ts'
import { SessionActivity } from '../contacts/session-activity.ts'
import { systemClock, type Clock } from '../core/clock.ts'
import { DisposableStore } from '../core/disposables.ts'
import { version } from '../core/version.ts'
import { FirebaseSync } from '../notify/firebase.ts'
import { Broadcasts } from '../operations/broadcasts.ts'
import { createDispatch } from '../operations/dispatch.ts'
import { createHandlers } from '../operations/handlers.ts'
import { HookIngest } from '../operations/ingest.ts'
import { InterruptWatch, type AskIdle } from '../operations/interrupt-watch.ts'
import type { FindReply } from '../operations/late-reply.ts'
import { SourceLimits } from '../operations/source-limits.ts'
import { PendingRequests, requestsSchema } from '../requests/pending-requests.ts'
import { openControlSocket } from '../server/control-socket.ts'
import { readHook } from '../server/compat/hook-routes.ts'
import { openServer, type RunningServer } from '../server/server.ts'
import { createSnapshot } from '../server/snapshot.ts'
import { openCheckpointer } from '../store/checkpointer.ts'
import { Chats, chatsSchema } from '../store/chats.ts'
import { openDatabase } from '../store/database.ts'
import { openHomeLock } from '../store/home-lock.ts'
import { EventLog } from '../store/log.ts'
import { createRedaction } from '../store/redaction.ts'
import { migrationsOf } from '../store/schema.ts'
import { removeDaemonFile, writeDaemonFile } from './daemon-file.ts'
import { writeForwardFile } from './forward-file.ts'
import { createLogger, type Console } from './logger.ts'

export interface DaemonOptions {
  /** Makes the master token when there is none; else a missing one is refused. */
  readonly createToken?: boolean
  readonly console?: Console
  readonly clock?: Clock
}

/** A daemon at work. */
export interface Daemon extends AsyncDisposable {
  readonly url: string
  readonly port: number
  readonly server: RunningServer
}

/** How often what has gone stale is looked for, and how often the log is trimmed. */
const expireMs = 30_000
const retainMs = 60_000
/** How often contacts in a turn are looked at for an interrupt; two looks confirm one. */
const lookMs = 5_000
/** How long one trim may keep everybody else waiting. */
const retainBudgetMs = 20
const dayMs = 24 * 60 * 60 * 1000

/**
 * Starts the daemon on the home of `config`: one store, one log, all surfaces.
 *
 * @throws BridgeError `already_running`, `token_required`, `wide_bind_needs_token`, `home_not_private`,
 * `home_unusable`, `store_newer`, `port_in_use`; nothing stays open then
 */
export async function startDaemon(config: Config, options: DaemonOptions = {}): Promise<Daemon> {
  const { clock = systemClock, createToken = false, console = 'none' } = options
  prepareHome(config.home)
  const masterToken = loadMasterToken(config, { create: createToken })
  await using opening = new DisposableStore()
  opening.use(openHomeLock(config.home))
  const logger = createLogger(config, console)
  const startedAt = clock.now()

  const adapters = loadAdapters(join(config.home, 'harness.json'))
  const tables = [tokensSchema, contactsSchema, requestsSchema, chatsSchema]
  const databasePath = join(config.home, 'bridge.db')
  const store = opening.use(openDatabase(databasePath, migrationsOf(tables), startedAt))
  const { database } = store
  const audit = opening.use(
    openAudit({
      path: join(config.home, 'audit.log'),
      clock,
      onError: (error) => logger.error({ err: error }, 'audit line lost'),
    }),
  )
  if (store.setAside) {
    const { path, reason } = store.setAside
    logger.error(
      `the database was ${reason === 'corrupt' ? 'damaged' : 'not ours'}; it is kept at ${path}, and a new one was begun`,
    )
    audit.write('daemon', 'store-set-aside', `${reason} ${path}`)
  }
  const log = new EventLog(database)
  opening.use(
    openCheckpointer(databasePath, log, (error) => logger.warn({ err: error }, 'a checkpoint was missed')),
  )
  opening.use(() => log.flush())
  const tokens = opening.use(openTokens({ database, masterToken, clock }))
  const tickets = createTickets({ clock, tokens })
  const registry = new ContactRegistry(database, clock)
  const sessions = new SessionActivity(clock)
  const requests = new PendingRequests(database)
  const chats = new Chats(database)
  const redact = config.redact ? createRedaction() : (text: string) => text
  const ingest = new HookIngest({
    log,
    registry,
    sessions,
    requests,
    adapters,
    limits: new SourceLimits(clock),
    redact,
    clock,
    findReply: createReplyFinder(config),
    onError: (error) => logger.error({ err: error }, 'a reply could not be added'),
  })

  const firebase = config.firebase
    ? opening.use(
        new FirebaseSync({
          ...config.firebase,
          log,
          clock,
          onError: (error) => logger.warn({ err: error }, 'Firebase did not take a value'),
        }),
      )
    : undefined

  const running: { server?: RunningServer; spooled: () => number } = { spooled: () => 0 }
  const urlOf = (port: number) =>
    `http://${hostInUrl(config.host === '0.0.0.0' ? '127.0.0.1' : config.host)}:${port}`
  const dispatch = createDispatch(
    createHandlers({
      log,
      registry,
      requests,
      tokens,
      tickets,
      audit,
      clock,
      describeDaemon: () => ({
        version,
        pid: process.pid,
        uptime_seconds: Math.floor((clock.now() - startedAt) / 1000),
        started_at: startedAt,
        home: config.home,
        url: urlOf(running.server?.port ?? config.port),
        agents: [...adapters.keys()],
        clients: running.server?.countClients() ?? 0,
        spooled: running.spooled(),
      }),
    }),
  )
  const server = opening.use(
    await openServer({
      config,
      clock,
      logger,
      log,
      ingest,
      dispatch,
      broadcasts: new Broadcasts({ log, chats, requests, ingest, audit, redact, clock }),
      chats,
      requests,
      sessions,
      snapshot: createSnapshot({ registry, sessions, requests }),
      tokens,
      tickets,
      originRules: createOriginRules(config),
      audit,
      firebase,
      adapters,
      startedAt,
    }),
  )
  running.server = server
  const url = urlOf(server.port)
  opening.use(await openControlSocket(join(config.home, 'bridge.sock'), { dispatch, logger }))
  writeForwardFile(config.home, tokens, { url, timeoutMs: config.hookTimeoutMs })
  const spool = opening.use(
    openSpool({
      home: config.home,
      clock,
      ingest: async ({ agent, hookType, id, at, body, truncated, source }) => {
        const hook = readHook(adapters.get(agent.toLowerCase()), { bytes: body, truncated }, hookType, {
          config,
        })
        await ingest.ingest(agent, { ...hook, id, at, source })
      },
      onError: (error) => logger.warn({ err: error }, 'a spooled hook was refused'),
    }),
  )
  running.spooled = () => spool.waiting
  const interrupts = new InterruptWatch({ registry, ingest, clock, askIdle: createIdleQuestion(config) })
  opening.use(startTimers({ config, clock, log, registry, sessions, ingest, interrupts, logger }))
  writeDaemonFile(config.home, { pid: process.pid, port: server.port, url, version })
  opening.use(() => removeDaemonFile(config.home, process.pid))
  audit.write('daemon', 'started', `${version} on ${url}`)
  opening.use(() => audit.write('daemon', 'stopped', ''))

  const parts = opening.move()
  return { url, port: server.port, server, [Symbol.asyncDispose]: () => parts[Symbol.asyncDispose]() }
}

/** Where a hook lacks the reply, the agent's own transcript may have it, if it lies where that agent keeps them. */
function createReplyFinder(config: Config): FindReply {
  return async (agent, hook) => {
    const path = hook.payload['transcript_path']
    if (agent !== 'claude' || typeof path !== 'string') return undefined
    return readReply(path, { allowedRoots: config.agents.claude.transcriptRoots })
  }
}

/** Claude Code keeps its sessions beside its transcripts. */
function createIdleQuestion(config: Config): AskIdle {
  return async (agent, pid, sessionId) => {
    if (agent !== 'claude') return undefined
    for (const root of config.agents.claude.transcriptRoots) {
      const file = await readSessionFile(join(dirname(root), 'sessions'), pid)
      if (file?.sessionId === sessionId) return file.status === 'idle'
    }
    return undefined
  }
}

function startTimers(parts: {
  config: Config
  clock: Clock
  log: EventLog
  registry: ContactRegistry
  sessions: SessionActivity
  ingest: HookIngest
  interrupts: InterruptWatch
  logger: Logger
}): () => void {
  const { config, clock, log, registry, sessions, ingest, interrupts, logger } = parts
  const expire = setInterval(() => {
    sessions.expire()
    registry.expire()
    ingest
      .commitContactChanges()
      .catch((error: unknown) => logger.error({ err: error }, 'contact changes were not stored'))
  }, expireMs)
  const { maxEvents, maxAgeDays } = config.retention
  const retain = () => {
    const more = log.retain({
      maxEvents,
      beforeTs: clock.now() - maxAgeDays * dayMs,
      budgetMs: retainBudgetMs,
    })
    timer = setTimeout(retain, more ? retainBudgetMs * 5 : retainMs)
  }
  let timer = setTimeout(retain, retainMs)
  const watch = setInterval(() => {
    interrupts
      .look()
      .catch((error: unknown) => logger.error({ err: error }, 'an interrupted turn was not ended'))
  }, lookMs)
  return () => {
    clearInterval(watch)
    clearInterval(expire)
    clearTimeout(timer)
  }
}
