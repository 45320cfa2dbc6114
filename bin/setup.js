// Brings a clone to where it can run: its packages, and with --build the compiled program and the page.
// Does only what is missing, and says nothing when nothing is. Reads on Node 12, since it may be what tells
// the user that the machine's Node is too old; needs no package, since it installs them.
import { spawnSync } from 'child_process'
import { createHash } from 'crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'fs'
import { dirname, join, relative } from 'path'
import { fileURLToPath } from 'url'
import { findBundledNode } from './relaunch.js'
import { withLock } from './setup-lock.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, 'dist')
const staging = join(root, '.dist-staging')
const stampPath = join(dist, '.built.json')

/**
 * One output of the build: what it is made from, how, and where it goes.
 *
 * @typedef {object} Target
 * @property {string} name
 * @property {string[]} inputs files and folders, relative to the root
 * @property {(output: string) => string[]} command arguments for Node
 * @property {string} output
 * @property {string[]} keep folders below the output that other targets own
 */

/** @type {Target[]} */
const targets = [
  {
    name: 'program',
    inputs: ['src', 'tsconfig.base.json', 'tsconfig.build.json', 'package-lock.json'],
    command: function (output) {
      return ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', output]
    },
    output: dist,
    keep: ['web'],
  },
  {
    name: 'page',
    inputs: ['web', 'src/core', 'src/protocol', 'src/client', 'src/screen', 'package-lock.json'],
    command: function (output) {
      const config = [
        '--config',
        'web/vite.config.ts',
        '--outDir',
        output,
        '--emptyOutDir',
        '--logLevel',
        'warn',
      ]
      return ['node_modules/vite/bin/vite.js', 'build'].concat(config)
    },
    output: join(dist, 'web'),
    keep: [],
  },
]

main(process.argv.slice(2).indexOf('--build') !== -1)

/** @param {boolean} build */
function main(build) {
  try {
    if (isComplete(build)) return
    withLock(join(root, '.setup-lock'), function () {
      if (!isInstalled()) step('Installing packages', install)
      if (!build) return
      targetsHere().forEach(function (target) {
        const hash = hashInputs(target)
        if (readStamp()[target.name] === hash) return
        step('Building the ' + target.name, function () {
          buildTarget(target)
        })
        writeStamp(target.name, hash)
      })
    })
  } catch (error) {
    process.stderr.write('setup: ' + (error instanceof Error ? error.message : String(error)) + '\n')
    process.exitCode = 1
  }
}

/** @param {boolean} build */
function isComplete(build) {
  if (!isInstalled()) return false
  const stamp = build ? readStamp() : {}
  return (
    !build ||
    targetsHere().every(function (target) {
      return stamp[target.name] === hashInputs(target)
    })
  )
}

function targetsHere() {
  return targets.filter(function (target) {
    return target.name !== 'page' || existsSync(join(root, 'web', 'vite.config.ts'))
  })
}

/**
 * @param {string} title
 * @param {() => void} work
 */
function step(title, work) {
  const startedAt = Date.now()
  process.stdout.write(title + ' ... ')
  try {
    work()
  } catch (error) {
    process.stdout.write('failed\n')
    throw error
  }
  process.stdout.write(((Date.now() - startedAt) / 1000).toFixed(1) + ' s\n')
}

/**
 * Whether node_modules holds what package-lock.json asks for. npm keeps its own record there; packages for other
 * machines are missing from it, and it is written last.
 */
function isInstalled() {
  const wanted = readJson(join(root, 'package-lock.json')).packages || {}
  const present = readJson(join(root, 'node_modules', '.package-lock.json')).packages
  if (!present) return false
  const names = Object.keys(wanted).filter(function (name) {
    return /^(.*\/)?node_modules\//.test(name)
  })
  return names.every(function (name) {
    if (!present[name]) return wanted[name].optional === true
    return (
      present[name].version === wanted[name].version && present[name].integrity === wanted[name].integrity
    )
  })
}

function install() {
  const npm = process.env.npm_execpath
  if (npm && /\.c?js$/.test(npm)) run(process.execPath, [npm, 'ci'])
  else run('npm', ['ci'])
}

/** @param {Target} target */
function buildTarget(target) {
  const node = findBundledNode() || process.execPath
  removeFolder(staging)
  mkdirSync(staging)
  // Git and the formatters leave a folder alone that ignores itself.
  writeFileSync(join(staging, '.gitignore'), '*\n')
  try {
    run(node, target.command(staging))
    publish(target)
  } finally {
    removeFolder(staging)
  }
}

/**
 * Puts finished files in place one by one, so that a command that runs meanwhile finds each of them whole, and
 * then removes what is no longer made.
 *
 * @param {Target} target
 */
function publish(target) {
  const made = listFiles(staging).filter(function (path) {
    return path !== '.gitignore'
  })
  made.forEach(function (path) {
    mkdirSync(dirname(join(target.output, path)), { recursive: true })
    renameSync(join(staging, path), join(target.output, path))
  })
  const current = new Set(made)
  listFiles(target.output).forEach(function (path) {
    const kept =
      target.keep.indexOf(path.split('/')[0] || '') !== -1 || join(target.output, path) === stampPath
    if (!kept && !current.has(path)) unlinkSync(join(target.output, path))
  })
}

/**
 * Runs a program in the root; its output is shown only when it fails.
 *
 * @param {string} program
 * @param {string[]} args
 */
function run(program, args) {
  const result = spawnSync(program, args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  if (result.error) throw result.error
  if (result.status === 0) return
  const how = result.signal ? 'was ended by ' + result.signal : 'failed with ' + result.status
  throw new Error([program].concat(args).join(' ') + ' ' + how + '\n' + result.stdout + result.stderr)
}

/**
 * A hash of names and contents: a checkout or a copy of the same sources needs no new build.
 *
 * @param {Target} target
 */
function hashInputs(target) {
  const hash = createHash('sha256')
  target.inputs.forEach(function (input) {
    const path = join(root, input)
    if (!existsSync(path)) return
    const files = statSync(path).isDirectory() ? listFiles(path) : ['']
    files.forEach(function (file) {
      if (/\.test\.tsx?$/.test(file)) return
      const content = readFileSync(join(path, file))
      hash.update(input + '/' + file + '\0' + content.length + '\0')
      hash.update(content)
    })
  })
  return hash.digest('hex')
}

/**
 * All files below a folder, relative to it, in one order on every machine.
 *
 * @param {string} folder
 * @returns {string[]}
 */
function listFiles(folder) {
  if (!existsSync(folder)) return []
  /** @type {string[]} */
  const files = []
  const visit = function (/** @type {string} */ directory) {
    readdirSync(directory, { withFileTypes: true }).forEach(function (entry) {
      const path = join(directory, entry.name)
      if (entry.isDirectory()) visit(path)
      else files.push(relative(folder, path).split('\\').join('/'))
    })
  }
  visit(folder)
  return files.sort()
}

/** @param {string} folder */
function removeFolder(folder) {
  if (!existsSync(folder)) return
  readdirSync(folder, { withFileTypes: true }).forEach(function (entry) {
    if (entry.isDirectory()) removeFolder(join(folder, entry.name))
    else unlinkSync(join(folder, entry.name))
  })
  rmdirSync(folder)
}

/** @returns {Record<string, string>} */
function readStamp() {
  return readJson(stampPath)
}

/**
 * @param {string} name
 * @param {string} hash
 */
function writeStamp(name, hash) {
  const stamp = readStamp()
  stamp[name] = hash
  writeFileSync(stampPath + '.new', JSON.stringify(stamp) + '\n')
  renameSync(stampPath + '.new', stampPath)
}

/**
 * @param {string} path
 * @returns {any}
 */
function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    // Missing or torn, and then what it records has to be made again.
    return {}
  }
}
