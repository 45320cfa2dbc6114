import { describe, expect, test } from 'vitest'
import { createTestStore } from '../../test/fixtures/store.ts'
import { describeRequest, PendingRequests, type OpenRequest } from './pending-requests.ts'

const request: OpenRequest = {
  request_id: 'r1',
  agent: 'claude',
  contact: 'c1',
  session_id: 's1',
  activity: { id: 'a1', kind: 'shell.exec', tool: 'Bash', summary: 'rm -rf build' },
  description: 'Delete the build',
  opened_at: 5,
}

describe('open requests', () => {
  test('are listed oldest first until they are closed', () => {
    const requests = new PendingRequests(createTestStore().database)
    requests.open(request)
    requests.open({ request_id: 'r2', agent: 'claude', opened_at: 6 })
    expect(requests.list().map(({ request_id }) => request_id)).toEqual(['r1', 'r2'])
    expect(requests.close('r1')).toEqual(request)
    expect(requests.close('r1')).toBeUndefined()
    expect(requests.get('r1')).toBeUndefined()
    expect(requests.list().map(({ request_id }) => request_id)).toEqual(['r2'])
  })

  test('survive the daemon, with everything that is known of them', () => {
    const { database } = createTestStore()
    const before = new PendingRequests(database)
    before.open(request)
    before.open({ request_id: 'gone', agent: 'claude', opened_at: 1 })
    before.close('gone')
    expect(new PendingRequests(database).list()).toEqual([request])
  })

  test('the same id does not open twice', () => {
    const requests = new PendingRequests(createTestStore().database)
    requests.open(request)
    requests.open({ ...request, opened_at: 99 })
    expect(requests.list()).toEqual([request])
  })

  test('are shown without whose they are', () => {
    expect(describeRequest(request)).toEqual({
      request_id: 'r1',
      activity: request.activity,
      description: 'Delete the build',
      opened_at: 5,
    })
    expect(describeRequest({ request_id: 'r2', agent: 'claude', opened_at: 6 })).toEqual({
      request_id: 'r2',
      opened_at: 6,
    })
  })

  test('are bounded: the oldest is dropped', () => {
    const { database } = createTestStore()
    const requests = new PendingRequests(database)
    database.exec('BEGIN')
    for (let n = 0; n <= 10_000; n += 1) requests.open({ request_id: `r${n}`, agent: 'claude', opened_at: n })
    database.exec('COMMIT')
    expect(requests.list().length).toBe(10_000)
    expect(requests.get('r0')).toBeUndefined()
  })
})
