import type { FastifyInstance } from 'fastify'
import { BridgeError } from '../../core/errors.ts'
import { addRoute } from '../http.ts'
import type { ServerParts } from '../parts.ts'

/** The agent's record for small clients that cannot speak to Firebase (seed agent-bridge-readme). */
export function addFirebaseRoute(app: FastifyInstance, parts: ServerParts): void {
  addRoute(app, 'firebaseData', () => {
    if (!parts.firebase) throw new BridgeError('firebase_not_configured')
    return parts.firebase.readRecord()
  })
}
