import type { Seed } from './sources.ts'

/**
 * The bug cases of `bug-cases.md`: failures of real programs that this one must not repeat. The id is the
 * case.
 */
export const bugCases = {
  'Area 1': {
    B01: 'a character cut by a read boundary is shown whole; only its dangling bytes are held back',
    B03: 'a child that prints much and exits at once loses no byte, and its exit comes last',
    B04: 'a child that does not read stalls nobody; input that cannot fit is refused, never cut',
    B05: 'a resize that is nonsense or comes after the exit changes nothing and breaks nothing',
    B06: 'a terminal query gets exactly one answer, with any number of viewers and none from replay',
    B08: 'modes of a dead program end with it; those of a living one survive a reload',
    B09: 'a restored terminal goes on exactly like the original, full rows and wraps included',
    B10: 'a viewer sets the size only of what it looks at, and gives it back when it leaves',
    B13: 'a flood with slow viewers keeps memory bounded, Ctrl-C quick and other panes fluent',
    B14: 'agents inherit nothing of the daemon they must not; a failed spawn says why',
  },
  'Area 2': {
    B15: 'tool hooks without ids, parallel or out of order, close the right activity',
    B16: 'a resume with two starts and a moving id stays one live agent that keeps its mail',
    B17: 'a late or ugly transcript never yields the reply of the turn before',
    B19: 'an interrupt that fires no hook is noticed in bounded time and ends its call as interrupted',
    B20: 'a huge hook costs the agent nothing and arrives at least in reduced form',
    B21: 'a stdin that stays open, comes in pieces or is empty never holds the forwarder',
    B22: 'a forwarder exits 0 with empty stdout, in time, whatever the bridge or its input does',
    B26: 'a subscriber that was away gets exactly what it missed, or a reset with a snapshot',
  },
  'Area 3': {
    B27: 'a message of several lines is submitted once, its text intact',
    B28: 'no text breaks out of the paste frame or brings control bytes along',
    B29: 'a swallowed Enter is noticed, and no retry submits a message twice',
    B30: 'a draft of a person is neither submitted nor lost',
    B31: 'nothing is typed into a dialog; the message waits for the composer',
    B32: 'the first character of a message turns it into no command',
    B35: 'status from the screen is not fooled by quotes, menus or redraws, and no send hangs on it',
    B37: 'the death of an agent ends its calls at once with the true cause, and its queue by policy',
    B38: 'a mailbox neither loses, doubles, merges nor misdirects a message',
    B40: 'a full disk or torn file refuses new messages clearly and keeps the old ones',
    B41: 'a Stop hook that delivers mail neither loops nor delivers twice',
  },
  'Area 4': {
    B42: 'valid frames are handled once however they are cut; invalid ones end the session safely',
    B43: 'a run settles in time although a grandchild holds the pipe, and leaves no process',
    B44: 'writing to a plugin that just died never hurts the daemon',
    B46: 'an approval covers every byte and bit that runs, at the moment it runs',
    B48: 'nothing outside its scope reaches a plugin, and every denial says so',
  },
  'Area 5': {
    B49: 'a verdict only touches the request it names',
    B50: 'a verdict that comes too late is never reported as effective, and no card stays open',
    B53: 'a half-open connection is noticed on both sides and mended without replaying old keys',
    B54: 'the token appears in no log, and foreign hosts and origins are refused',
    B55: 'no displayed string acts as markup or control code',
    B56: 'no path or id sent by a client becomes a file outside or a shell command',
    B58: 'pushes are few, ranked right, and the first real question always gets through',
  },
  'Area 6': {
    B59: 'settings with comments keep every foreign byte, or stay untouched with an error',
    B61: 'symlinked, read-only or shared settings keep links, modes and owners, or nothing changes',
    B62: 'installing again adds nothing, and uninstalling takes only what is ours',
    B63: 'in config.toml only our own lines change, in the right table',
    B64: 'other writers of the settings at the same time lose nothing, and no reader sees a torn file',
  },
} as const satisfies Seed<'bug-cases.md'>
