import type { Scope } from './scopes.ts'

/**
 * A route written by hand: shaped by a seed, a stream, or a page. Declared here so that its scope is enforced in
 * one place, and so that OpenAPI and the authorization test know it.
 */
export interface RouteDeclaration {
  readonly method: 'GET' | 'POST'
  /** Parameters stand as `{name}`. */
  readonly path: `/${string}`
  /** The scope a token needs; null: no token needed. */
  readonly scope: Scope | null
  readonly summary: string
}

/** All routes that are not derived from the operations table. */
export const routes = {
  // Seed agent-bridge-readme, "HTTP API"
  health: { method: 'GET', path: '/api/health', scope: null, summary: 'Liveness; lists the agent adapters.' },
  healthz: { method: 'GET', path: '/healthz', scope: null, summary: 'Liveness, as /api/health.' },
  hook: {
    method: 'POST',
    path: '/hooks/{agent}',
    scope: 'ingest',
    summary:
      'Takes in a lifecycle hook: {hook_type, payload}, or the body the agent posts itself. 204 once stored.',
  },
  hookRaw: {
    method: 'POST',
    path: '/hooksRaw/{agent}',
    scope: 'ingest',
    summary: 'Takes in events that are classified already: {hook_type?, events}.',
  },
  sendMessage: {
    method: 'POST',
    path: '/api/messages',
    scope: 'send',
    summary: 'Broadcasts a message to all clients; it is not typed into an agent.',
  },
  readMessages: {
    method: 'GET',
    path: '/api/messages/{chat_id}',
    scope: 'read',
    summary: 'The messages of a chat.',
  },
  state: {
    method: 'GET',
    path: '/api/state',
    scope: 'read',
    summary: 'Chats, open permission requests and uptime.',
  },
  sessions: {
    method: 'GET',
    path: '/api/sessions',
    scope: 'read',
    summary: 'Ids of the sessions active in the last 10 minutes.',
  },
  permissions: {
    method: 'GET',
    path: '/api/permissions',
    scope: 'read',
    summary: 'The open permission requests.',
  },
  resolvePermission: {
    method: 'POST',
    path: '/api/permissions/{id}',
    scope: 'approve',
    summary: 'Resolves a permission request and tells everybody.',
  },
  firebaseData: {
    method: 'GET',
    path: '/api/firebaseData',
    scope: 'read',
    summary: "The agent's record in Firebase, trimmed.",
  },
  rawCapabilities: {
    method: 'GET',
    path: '/api/raw/capabilities',
    scope: 'read',
    summary: 'The raw controls, with examples.',
  },
  rawBroadcast: {
    method: 'POST',
    path: '/api/raw/broadcast',
    scope: 'send',
    summary: 'Broadcasts any JSON object as it is.',
  },
  rawVerbStart: { method: 'POST', path: '/api/raw/verb/start', scope: 'send', summary: 'Starts a verb.' },
  rawVerbClear: { method: 'POST', path: '/api/raw/verb/clear', scope: 'send', summary: 'Ends the verb.' },
  rawVerbOverlay: {
    method: 'POST',
    path: '/api/raw/verb/overlay',
    scope: 'send',
    summary: 'Shows a verb for a while.',
  },
  rawEmotionCommand: {
    method: 'POST',
    path: '/api/raw/emotion.command',
    scope: 'send',
    summary: 'Sends a command to the emotion engine.',
  },
  rawModifyValence: {
    method: 'POST',
    path: '/api/raw/emotion/modify-valence',
    scope: 'send',
    summary: 'Changes the valence by a step.',
  },
  rawModifyArousal: {
    method: 'POST',
    path: '/api/raw/emotion/modify-arousal',
    scope: 'send',
    summary: 'Changes the arousal by a step.',
  },
  rawSetValence: {
    method: 'POST',
    path: '/api/raw/emotion/set-valence',
    scope: 'send',
    summary: 'Sets the valence.',
  },
  rawSetArousal: {
    method: 'POST',
    path: '/api/raw/emotion/set-arousal',
    scope: 'send',
    summary: 'Sets the arousal.',
  },
  rawHeldTarget: {
    method: 'POST',
    path: '/api/raw/emotion/held-target',
    scope: 'send',
    summary: 'Holds a valence target.',
  },
  rawReleaseHeld: {
    method: 'POST',
    path: '/api/raw/emotion/release-held',
    scope: 'send',
    summary: 'Releases a held valence target.',
  },
  rawDisplayMode: {
    method: 'POST',
    path: '/api/raw/config/display-mode',
    scope: 'send',
    summary: 'Switches the display mode.',
  },
  rawSetColor: {
    method: 'POST',
    path: '/api/raw/config/set-color',
    scope: 'send',
    summary: 'Changes one color of the palette.',
  },
  rawServoHold: {
    method: 'POST',
    path: '/api/raw/servo/hold',
    scope: 'send',
    summary: 'Holds the servo at an angle for a while.',
  },
  // Surfaces, "REST": streams and documents
  events: {
    method: 'GET',
    path: '/events',
    scope: 'read',
    summary: 'The log as server-sent events; resumes by Last-Event-ID or ?after=.',
  },
  apiEvents: { method: 'GET', path: '/api/events', scope: 'read', summary: 'The same as /events.' },
  openapi: { method: 'GET', path: '/openapi.json', scope: null, summary: 'This description as OpenAPI 3.1.' },
  docs: { method: 'GET', path: '/docs', scope: null, summary: 'This description as a page.' },
} as const satisfies Record<string, RouteDeclaration>

export type RouteName = keyof typeof routes
