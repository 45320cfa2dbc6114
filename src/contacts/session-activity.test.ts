import { describe, expect, test } from 'vitest'
import { verifies } from '../../test/requirements.ts'
import { masterIdentity } from '../access/identity.ts'
import { ManualClock } from '../core/clock.ts'
import { SessionActivity, sessionStaleMs } from './session-activity.ts'

function openActivity() {
  const clock = new ManualClock()
  const sessions = new SessionActivity(clock)
  const lists: string[][] = []
  sessions.onChange(() => lists.push(sessions.idsFor(masterIdentity)))
  return { clock, sessions, lists }
}

describe('active sessions', () => {
  test('a session is listed from its first hook until its end', () => {
    const { clock, sessions, lists } = openActivity()
    sessions.touch('a', clock.now())
    sessions.touch('b', clock.now())
    sessions.touch('a', clock.now())
    sessions.end('b')
    sessions.end('nobody')
    expect(sessions.idsFor(masterIdentity)).toEqual(['a'])
    expect(lists).toEqual([['a'], ['a', 'b'], ['a']])
  })

  test('after ten minutes without a hook it is gone' + verifies('A:http.sessions-expire'), () => {
    const { clock, sessions, lists } = openActivity()
    sessions.touch('a', clock.now())
    clock.advance(sessionStaleMs)
    expect(sessions.idsFor(masterIdentity)).toEqual(['a'])
    clock.advance(1)
    expect(sessions.idsFor(masterIdentity)).toEqual([])
    sessions.expire()
    expect(lists).toEqual([['a'], []])
    sessions.expire()
    expect(lists.length).toBe(2)
  })

  test('every hook starts the ten minutes anew', () => {
    const { clock, sessions } = openActivity()
    sessions.touch('a', clock.now())
    clock.advance(sessionStaleMs - 1)
    sessions.touch('a', clock.now())
    clock.advance(sessionStaleMs - 1)
    sessions.expire()
    expect(sessions.idsFor(masterIdentity)).toEqual(['a'])
  })

  test('a hook from the spool, which is older than the last, takes nothing back', () => {
    const { clock, sessions } = openActivity()
    sessions.touch('a', clock.now())
    sessions.touch('a', clock.now() - sessionStaleMs * 2)
    sessions.expire()
    expect(sessions.idsFor(masterIdentity)).toEqual(['a'])
  })

  test('a session that comes back after its time is news again', () => {
    const { clock, sessions, lists } = openActivity()
    sessions.touch('a', clock.now())
    clock.advance(sessionStaleMs + 1)
    sessions.touch('a', clock.now())
    expect(lists.at(-1)).toEqual(['a'])
  })

  test('who is bound to a contact sees only its sessions', () => {
    const { clock, sessions } = openActivity()
    sessions.touch('mine', clock.now(), 'contact-1')
    sessions.touch('other', clock.now(), 'contact-2')
    sessions.touch('unknown', clock.now())
    sessions.touch('mine', clock.now())
    const bound = { ...masterIdentity, id: 'bound', contacts: new Set(['contact-1']) }
    expect(sessions.idsFor(bound)).toEqual(['mine'])
    expect(sessions.idsFor(masterIdentity)).toEqual(['other', 'unknown', 'mine'])
  })

  test('a flood of sessions costs bounded memory', () => {
    const clock = new ManualClock()
    const sessions = new SessionActivity(clock)
    for (let n = 0; n < 6_000; n += 1) sessions.touch(`s${n}`, clock.now())
    expect(sessions.idsFor(masterIdentity).length).toBe(5_000)
    expect(sessions.idsFor(masterIdentity).at(-1)).toBe('s5999')
  })
})
