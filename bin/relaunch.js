// The way out for a Node that is too old: the same command in the one that `npm ci` brought. Reads on Node 12.
import { spawn } from 'child_process'
import { existsSync, realpathSync } from 'fs'
import { dirname, join } from 'path'
import { fileURLToPath } from 'url'

const packageRoot = dirname(dirname(fileURLToPath(import.meta.url)))
/** The exit code of a wrong configuration in sysexits(3). */
const configurationExit = 78

/** Runs this same command in the bundled Node and ends as it ends; without one, says so in a line. */
export function relaunch() {
  const node = findBundledNode()
  if (node === undefined) {
    process.stderr.write(
      'Agent Bridge needs Node 24.18 or newer; this is ' +
        process.versions.node +
        '. Install a newer one, or run "npm ci" in ' +
        packageRoot +
        ', which brings one.\n',
    )
    process.exitCode = configurationExit
    return
  }
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' })
  child.on('error', function (error) {
    process.stderr.write('Agent Bridge cannot start ' + node + ': ' + error.message + '\n')
    process.exit(configurationExit)
  })
  forwardSignals(child)
  child.on('exit', function (code, signal) {
    if (signal === null) process.exit(code === null ? 1 : code)
    process.exitCode = 1
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

/** The Node that `npm ci` brought into a node_modules folder of this package or around it. */
export function findBundledNode() {
  const names = [join('node-' + process.platform + '-' + process.arch, 'bin', 'node'), join('.bin', 'node')]
  for (let folder = packageRoot; ; folder = dirname(folder)) {
    for (const name of names) {
      const path = join(folder, 'node_modules', name)
      // The one that is running is too old, and would only start itself again.
      if (existsSync(path) && realpathSync(path) !== realpathSync(process.execPath)) return path
    }
    if (folder === dirname(folder)) return undefined
  }
}

/** @param {import('child_process').ChildProcess} child */
function forwardSignals(child) {
  process.on('SIGTERM', function () {
    child.kill('SIGTERM')
  })
  process.on('SIGHUP', function () {
    child.kill('SIGHUP')
  })
  process.on('SIGINT', function () {
    // Ctrl-C reaches the child by itself, and a second one would tell it not to finish what it does.
    if (!process.stdin.isTTY) child.kill('SIGINT')
  })
}
