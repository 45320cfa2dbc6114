// Starts a command of the bridge on a Node that is new enough. Older ones must be able to read this file, so
// that they can say what is wrong: it keeps to the syntax of Node 12. It imports nothing, since every command
// waits for it.

/**
 * Runs `entry`, an address relative to this folder, in this process, or else in the bundled Node.
 *
 * @param {string} entry
 */
export function launch(entry) {
  if (isNewEnough(process.versions)) {
    import(entry).catch(report)
    return
  }
  import('./relaunch.js').then(relaunch).catch(report)
}

/** @param {{ relaunch: () => void }} module */
function relaunch(module) {
  return module.relaunch()
}

/**
 * Node before libuv 1.52 loses terminal output (docs/decisions.md), and the versions between 24.18 and 26 are
 * not tested.
 *
 * @param {{ node: string, uv?: string }} versions
 */
export function isNewEnough(versions) {
  const uv = numbersOf(versions.uv || '0.0')
  const node = numbersOf(versions.node)
  const uvFits = uv.major > 1 || (uv.major === 1 && uv.minor >= 52)
  return uvFits && ((node.major === 24 && node.minor >= 18) || node.major >= 26)
}

/** @param {string} version */
function numbersOf(version) {
  const parts = version.split('.')
  return { major: Number(parts[0]), minor: Number(parts[1]) }
}

/** @param {Error & { code?: string }} error */
function report(error) {
  const notBuilt =
    error.code === 'ERR_MODULE_NOT_FOUND' && /dist[/\\](cli|daemon)[/\\]main\.js'/.test(error.message)
  process.stderr.write(
    notBuilt
      ? 'Agent Bridge is not built yet. Run "npm run setup -- --build".\n'
      : ((error && error.stack) || String(error)) + '\n',
  )
  process.exitCode = 1
}
