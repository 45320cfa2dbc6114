/** Close codes of `/ws`. */
export const closeCodes = {
  /** Seed agent-bridge-readme, "WebSocket API": bad token. */
  unauthorized: 4401,
  /** The token lost its rights while the socket was open. */
  revoked: 4403,
  /** The client read too slowly; it may come back and resume. */
  slow: 4408,
  /** No answer to pings. */
  silent: 4410,
  /** The daemon is stopping. */
  goingAway: 1001,
} as const
