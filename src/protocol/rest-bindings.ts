/** How an operation is reached over REST. Path parameters stand as `{name}` and are fields of the input. */
export interface RestBinding {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: `/${string}`
  /** Status of success; 200 when absent. */
  readonly status?: number
}

/** The REST side of the operations table, apart from it so that a client needs no schemas to call one. */
export const restBindings = {
  'status.get': { method: 'GET', path: '/status' },
  'contacts.list': { method: 'GET', path: '/sessions' },
  'contacts.get': { method: 'GET', path: '/sessions/{contact}' },
  'history.page': { method: 'GET', path: '/api/history' },
  'permissions.list': { method: 'GET', path: '/api/requests' },
  'tokens.list': { method: 'GET', path: '/api/tokens' },
  'tokens.create': { method: 'POST', path: '/api/tokens', status: 201 },
  'tokens.rotate': { method: 'POST', path: '/api/tokens/{token}/rotate' },
  'tokens.revoke': { method: 'DELETE', path: '/api/tokens/{token}' },
  'tickets.create': { method: 'POST', path: '/api/tickets', status: 201 },
  'links.create': { method: 'POST', path: '/api/links', status: 201 },
  'links.redeem': { method: 'POST', path: '/api/links/redeem', status: 201 },
  'audit.read': { method: 'GET', path: '/api/audit' },
} as const satisfies Record<string, RestBinding>
