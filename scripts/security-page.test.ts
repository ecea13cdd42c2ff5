import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './repository.mjs'

const page = readFileSync(join(root, 'SECURITY.md'), 'utf8')
const named = [...page.matchAll(/`([^`]+\.test\.ts)`/g)].map(([, path = '']) => path)

test('the security page names tests', () => expect(named.length).toBeGreaterThan(8))

test.each(named)('%s exists', (path) => {
  expect(globSync(path, { cwd: root })).not.toEqual([])
})
