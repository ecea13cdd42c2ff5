/** What the product does without, so that whole kinds of holes cannot be there; docs/security.md relies on it. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from './repository.mjs'

const sources = globSync(['apps/*/src/**/*.{ts,tsx}', 'packages/*/src/**/*.ts'], { cwd: root })
  .filter((path) => !/\.test\.tsx?$|\/testing\//.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

/** Where the pattern stands, outside of the places that may. */
const found = (pattern: RegExp, files: { path: string; text: string }[], allowed: string[] = []) =>
  files.filter(({ path, text }) => pattern.test(text) && !allowed.includes(path)).map(({ path }) => path)

/** @param fault what the pattern must find if somebody writes it */
function expectNever(pattern: RegExp, fault: string, allowed: string[] = []) {
  expect(sources.length).toBeGreaterThan(1000)
  expect(found(pattern, [{ path: 'planted.ts', text: fault }])).toEqual(['planted.ts'])
  expect(found(pattern, sources, allowed)).toEqual([])
}

describe('the product does without', () => {
  test('text that is run as a program of ours', () =>
    expectNever(/\beval\(|new Function\(|node:vm\b|setTimeout\(['"`]/, "eval('1')"))

  test('programs that a shell starts', () => expectNever(/\bexec(Sync)?\(['"`]|shell: true/, "exec('ls ' + name)"))

  test('HTML made of text', () =>
    expectNever(
      /dangerouslySetInnerHTML|\.(inner|outer)HTML\b|document\.write\(|insertAdjacentHTML/,
      'a.innerHTML = b',
    ))

  test('cookies', () => expectNever(/document\.cookie|@fastify\/cookie|set-cookie/i, "document.cookie = 'a'"))

  test('messages of other windows', () =>
    expectNever(/addEventListener\('message'|window\.onmessage/, 'window.onmessage = f'))

  test('parsers of XML, and clients of LDAP, memcache and GraphQL', () =>
    expectNever(/from '[^']*(xml|xpath|ldap|memcache|graphql)|DOMParser/i, "from 'fast-xml-parser'"))

  test('certificates that are not looked at', () =>
    expectNever(/rejectUnauthorized: false|NODE_TLS_REJECT_UNAUTHORIZED/, 'rejectUnauthorized: false'))

  test('random numbers that can be guessed', () =>
    expectNever(/Math\.random\(/, 'Math.random()', [
      // How long to wait before the next try, and what Math.random of a product's script starts from.
      'apps/console/src/api/live-socket.ts',
      'apps/server/src/engines/script-vm/sandbox.ts',
    ]))
})

test('passwords are typed into masked fields that let managers and the clipboard fill them', () => {
  const screens = sources.filter(({ path }) => path.startsWith('apps/console/'))
  const fields = screens.flatMap(({ path, text }) =>
    [...text.matchAll(/<(Input[\w.]*)\b[^>]*?autoComplete="(?:current|new)-password"/gs)].map(([, tag]) => [path, tag]),
  )
  expect(fields.length).toBeGreaterThan(5)
  expect(fields.filter(([, tag]) => tag !== 'Input.Password')).toEqual([])
  expect(found(/onPaste|Input\.Password[^>]*autoComplete="off"/s, screens)).toEqual([])
})
