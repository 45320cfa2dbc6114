// One setup at a time in one clone: `npm start` and `npm test` may begin together.
import { mkdirSync, readFileSync, renameSync, rmdirSync, statSync, unlinkSync, writeFileSync } from 'fs'
import { join } from 'path'

/** The longest that anything here takes, on a slow network. */
const maxWaitMs = 10 * 60 * 1000
const pollMs = 200
/** Between making the folder and writing its owner lies no work. */
const ownerlessMs = 5000

/**
 * Runs `work` while holding the lock folder at `path`. Waits for another process that holds it, and takes over
 * from one that died.
 *
 * @param {string} path
 * @param {() => void} work
 */
export function withLock(path, work) {
  const deadline = Date.now() + maxWaitMs
  let told = false
  while (!tryLock(path)) {
    const owner = readOwner(path)
    if (isStale(path, owner)) {
      breakLock(path, owner)
      continue
    }
    if (Date.now() > deadline) {
      throw new Error(
        'another setup (process ' + owner + ') does not end. If there is none, remove ' + path + '.',
      )
    }
    if (!told) process.stdout.write('Waiting for another setup (process ' + owner + ')\n')
    told = true
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pollMs)
  }
  try {
    work()
  } finally {
    removeLock(path)
  }
}

/** @param {string} path */
function tryLock(path) {
  try {
    mkdirSync(path)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
  writeFileSync(join(path, '.gitignore'), '*\n')
  writeFileSync(join(path, 'owner'), String(process.pid))
  return true
}

/** @param {string} path */
function readOwner(path) {
  try {
    return readFileSync(join(path, 'owner'), 'utf8')
  } catch {
    // Just made, or just removed.
    return ''
  }
}

/**
 * @param {string} path
 * @param {string} owner
 */
function isStale(path, owner) {
  if (owner !== '') return !isRunning(Number(owner))
  try {
    return Date.now() - statSync(path).mtimeMs > ownerlessMs
  } catch {
    // Gone meanwhile: the next attempt gets it.
    return false
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/**
 * Only one process can rename the folder of a dead owner away; if somebody else's came in between, it goes back.
 *
 * @param {string} path
 * @param {string} owner
 */
function breakLock(path, owner) {
  const aside = path + '.' + process.pid
  try {
    renameSync(path, aside)
    if (readOwner(aside) === owner) removeLock(aside)
    else renameSync(aside, path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTEMPTY') throw error
  }
}

/** @param {string} path */
function removeLock(path) {
  for (const name of ['owner', '.gitignore']) {
    try {
      unlinkSync(join(path, name))
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error
    }
  }
  rmdirSync(path)
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
