import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { verifies } from '../../test/requirements.ts'
import { parseEnvFile } from './env-file.ts'
import { variables } from './settings.ts'

const root = join(import.meta.dirname, '../..')
const example = readFileSync(join(root, '.env.example'), 'utf8')

test('.env.example names every variable' + verifies('A:env-file.example'), () => {
  const shown = [...parseEnvFile(example.replaceAll(/^# (?=[A-Z_]+=)/gm, ''), '.env.example').keys()]
  expect(shown.toSorted()).toEqual(['BRIDGE_TOKEN', 'BRIDGE_HOME', ...Object.keys(variables)].toSorted())
})

test('.env.example sets nothing, so a plain copy changes nothing', () => {
  expect([...parseEnvFile(example, '.env.example').keys()]).toEqual([])
})

test('git ignores .env and not .env.example' + verifies('A:env-file.ignored'), () => {
  const ignored = readFileSync(join(root, '.gitignore'), 'utf8').split('\n')
  expect(ignored).toContain('.env')
  expect(ignored.filter((line) => line.startsWith('.env'))).toEqual(['.env'])
})
