/** No act without its right: what changes something asks before it is offered. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { allEndpoints } from '@ithings/contract/all-endpoints.ts'
import { BusinessType } from '@ithings/contract/endpoint.ts'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
/** Screens below /systemMangers and the demo fleet are for administrators alone, who hold everything. */
const adminOnly = /^(features\/(apis|jobs|menus|roles|settings|users)|blocks\/demo)\/|demo-offer\.tsx$/
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|\/testing\//.test(file) && !adminOnly.test(file))
  .map((file) => readFileSync(join(root, file), 'utf8'))

/** Names that the text imports from the contract, and the text without its imports. */
function partsOf(text: string) {
  const imports = [...text.matchAll(/^import \{([^}]+)\} from '(@ithings\/contract\/[^']+)'$/gm)]
  const names = imports.flatMap(([, list = '', from = '']) =>
    list.split(',').map((name) => ({ name: name.trim(), from })),
  )
  return { names, body: text.replaceAll(/^import [^']+'[^']+'$/gm, '') }
}

async function forgotten(): Promise<string[]> {
  const acts = new Set(
    allEndpoints
      .filter((one) => one.access === 'role' && one.businessType !== BusinessType.query)
      .map((one) => one.path),
  )
  const called = new Set<string>()
  const asked = new Set<string>()
  for (const { names, body } of sources.map(partsOf)) {
    for (const { name, from } of names) {
      if (!/^[a-z]\w+$/.test(name) || !body.includes(name)) continue
      const found = ((await import(from)) as Record<string, { path?: string } | undefined>)[name]
      if (!found?.path || !acts.has(found.path)) continue
      if (new RegExp(`\\bcall\\(\\s*${name}\\b`).test(body)) called.add(name)
      // Neither called nor a type nor a cache key: handed to whoever decides what is shown.
      if (new RegExp(`(?<!\\bcall\\(\\s*|typeof )\\b${name}\\b(?!\\.)`).test(body)) asked.add(name)
    }
  }
  expect(called.size).toBeGreaterThan(50)
  return [...called].filter((name) => !asked.has(name)).sort()
}

test('every endpoint that the console calls to change something is asked for before it is offered', async () => {
  expect(await forgotten()).toEqual([])
})
