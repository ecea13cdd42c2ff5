// A model of the house with planted faults: proves that every import rule bites and that the lawful ways stay open.
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import config from '../.dependency-cruiser.mjs'
import { checkImports } from './import-rules.mjs'

type Tree = Record<string, string>

const workspace = (name: string, more = {}) =>
  JSON.stringify({ name, type: 'module', imports: { '#*': './src/*' }, ...more })

const server = (path: string) => `apps/server/src/${path}`
const web = (path: string) => `apps/console/src/${path}`

/** Every way the rules allow, in all spellings. */
const lawful: Tree = {
  'package.json': JSON.stringify({ name: 'model', type: 'module' }),
  'packages/contract/package.json': workspace('@ithings/contract', { exports: { './*.ts': './src/*.ts' } }),
  'apps/server/package.json': workspace('@ithings/server'),
  'apps/console/package.json': workspace('@ithings/console'),
  'apps/cli/package.json': workspace('@ithings/cli'),
  'apps/cli/src/main.ts': `import '@ithings/contract/wire.ts'; import 'node:fs'; import './call.ts'`,
  'apps/cli/src/call.ts': `export const call = 1`,
  'packages/contract/src/wire.ts': `export const wire = 1; export type Wire = number`,
  'packages/contract/src/wire.test.ts': `import 'node:fs'; import './wire.ts'`,
  [server('main.ts')]: `import './app/build-app.ts'`,
  [server('app/build-app.ts')]:
    `import '#engines/aedes/broker.ts'; import '#uplink/corridor.ts'; import '#features/alarms/routes.ts'`,
  [server('main-backup.ts')]: `import './backup/command.ts'`,
  [server('backup/command.ts')]:
    `import '#engines/disk-files/inside.ts'; import '#db/tables.ts'; import '#secret-key/key-file.ts'`,
  [server('secret-key/key-file.ts')]: `import '#db/tables.ts'; export const key = 1`,
  [server('ports/broker.ts')]: `import type { Wire } from '@ithings/contract/wire.ts'; export type Broker = Wire`,
  [server('engines/aedes/broker.ts')]:
    `import type { Broker } from '#ports/broker.ts'; import './session.ts'; export type B = Broker`,
  [server('background/loop.ts')]: `import type { Broker } from '#ports/broker.ts'; export type Loop = Broker`,
  [server('engines/aedes/session.ts')]: `export const session = 1`,
  [server('engines/disk-files/inside.ts')]: `export const inside = 1`,
  [server('db/tables.ts')]: `import '@ithings/contract/wire.ts'; export const tables = 1`,
  [server('http/route.ts')]: `import '#db/tables.ts'; import '#ports/broker.ts'; export const route = 1`,
  [server('downlink/send.ts')]: `import '#db/tables.ts'; export const send = 1`,
  [server('uplink/corridor.ts')]:
    `import '#features/products/door.ts'; import '#downlink/send.ts'; export const carry = 1`,
  [server('features/users/door.ts')]: `import './store.ts'; export const user = 1`,
  [server('features/users/store.ts')]:
    `import '#features/roles/door.ts'; import '#db/tables.ts'; export const store = 1`,
  [server('features/roles/door.ts')]: `import type { Loop } from '#background/loop.ts'; export type Role = Loop`,
  [server('features/products/door.ts')]: `import '#features/users/door.ts'; export const product = 1`,
  [server('features/devices/door.ts')]: `import '#features/products/door.ts'; export const device = 1`,
  [server('features/gateways/door.ts')]: `export const gateway = 1`,
  [server('features/alarms/routes.ts')]:
    `import '#features/devices/door.ts'; import '#http/route.ts'; export const routes = 1`,
  [server('features/alarms/routes.test.ts')]:
    `import '#features/users/store.ts'; import '#testing/app.ts'; import '#engines/aedes/broker.ts'`,
  [server('testing/app.ts')]: `import '#app/build-app.ts'; export const app = 1`,
  [web('app/main.tsx')]: `import '#features/alarms/screens/list.tsx'; import '#features/users/screens/list.tsx'`,
  [web('features/alarms/screens/list.tsx')]:
    `import '#blocks/picker.tsx'; import '#kit/list.tsx'; import '../queries.ts'; import '#language/language.ts'; export const List = 1`,
  [web('language/language.ts')]: `import '@ithings/contract/wire.ts'; export const language = 1`,
  [web('features/alarms/queries.ts')]: `import '#api/call.ts'; export const queries = 1`,
  [web('features/users/screens/list.tsx')]: `import '#kit/list.tsx'; export const List = 1`,
  [web('blocks/picker.tsx')]: `import '#kit/list.tsx'; import '#api/call.ts'; export const Picker = 1`,
  [web('kit/list.tsx')]: `export const List = <Row,>(row: Row) => row`,
  [web('api/call.ts')]: `import { wire } from '@ithings/contract/wire.ts'; export const call = wire`,
}

const upward = (level: number, from: string, to: string): [string, Tree] => [
  `level-${level}-looks-up`,
  {
    [server(`features/${from}/planted.ts`)]: `import '#features/${to}/door.ts'`,
    [server(`features/${to}/door.ts`)]: `export const door = 1`,
  },
]

const sibling = (level: number, from: string, to: string): [string, Tree] => {
  const [, tree] = upward(level, from, to)
  return [`no-sibling-in-level-${level}`, tree]
}

const planted: [rule: string, files: Tree][] = [
  [
    'no-circular',
    {
      [server('db/a.ts')]: `import './b.ts'`,
      [server('db/b.ts')]: `import type { A } from './a.ts'; export type B = A`,
    },
  ],
  ['unresolved', { [server('db/a.ts')]: `import '@ithings/contract/missing.ts'` }],
  ['no-tests-in-product', { [server('http/a.ts')]: `import '#testing/app.ts'` }],
  ['contract-is-bottom', { 'packages/contract/src/a.ts': `import '../../../apps/console/src/api/call.ts'` }],
  [
    'contract-has-no-node',
    { 'packages/contract/src/a.ts': `import { readFile } from 'node:fs/promises'; export const a = readFile` },
  ],
  [
    'console-never-server',
    { [web('api/a.ts')]: `import type { Broker } from '../../../server/src/ports/broker.ts'; export type A = Broker` },
  ],
  ['server-never-console', { [server('http/a.ts')]: `import '../../../console/src/api/call.ts'` }],
  ['cli-knows-contract-only', { 'apps/cli/src/a.ts': `import '../../server/src/http/route.ts'` }],
  ['nobody-imports-cli', { [server('http/a.ts')]: `import '../../../cli/src/call.ts'` }],
  [
    'simulator-only-in-app',
    {
      [server('http/a.ts')]: `import '../../../simulator/src/device.ts'`,
      'apps/simulator/src/device.ts': `export const device = 1`,
    },
  ],
  ['backup-knows-tables-only', { [server('backup/a.ts')]: `import '#features/users/door.ts'` }],
  ['backup-lies-beside', { [server('db/a.ts')]: `import '#secret-key/key-file.ts'` }],
  ['backup-needs-few-engines', { [server('backup/a.ts')]: `import '#engines/aedes/session.ts'` }],
  ['nobody-imports-app', { [server('http/a.ts')]: `import '#app/build-app.ts'` }],
  [
    'engines-only-in-app',
    { [server('features/users/a.ts')]: `import type { B } from '#engines/aedes/broker.ts'; export type A = B` },
  ],
  ['engines-know-ports-only', { [server('engines/aedes/a.ts')]: `import '#db/tables.ts'` }],
  ['engines-apart', { [server('engines/disk/a.ts')]: `import '../aedes/session.ts'` }],
  ['low-rooms-stay-low', { [server('http/a.ts')]: `import '#features/users/door.ts'` }],
  ['lowest-rooms', { [server('db/a.ts')]: `import '#http/route.ts'` }],
  ['ports-are-types', { [server('ports/a.ts')]: `import '#db/tables.ts'` }],
  ['background-is-low', { [server('background/a.ts')]: `import '#db/tables.ts'` }],
  [
    'features-under-uplink',
    { [server('features/alarms/a.ts')]: `export const a = () => import('#uplink/corridor.ts')` },
  ],
  ['only-the-door', { [server('features/alarms/a.ts')]: `import '#features/users/store.ts'` }],
  ['feature-in-no-level', { [server('features/attic/a.ts')]: `import '#db/tables.ts'` }],
  [
    'console-feature-alone',
    {
      [web('features/alarms/a.tsx')]: `import { List } from '#features/users/screens/list.tsx'; export const A = List`,
    },
  ],
  ['console-features-under-app', { [web('features/alarms/a.tsx')]: `import '#app/main.tsx'` }],
  ['console-language-is-bottom', { [web('language/a.ts')]: `import '#kit/list.tsx'` }],
  ['console-blocks-under-features', { [web('blocks/a.tsx')]: `import '#features/alarms/queries.ts'` }],
  [
    'console-kit-is-low',
    { [web('kit/a.tsx')]: `import type { Picker } from '#blocks/picker.tsx'; export type A = typeof Picker` },
  ],
  upward(1, 'users', 'products'),
  upward(2, 'products', 'devices'),
  upward(3, 'devices', 'notify'),
  upward(4, 'groups', 'history'),
  upward(5, 'commands', 'ota'),
  upward(6, 'scenes', 'alarms'),
  upward(7, 'alarms', 'live'),
  sibling(4, 'groups', 'notify'),
  sibling(5, 'commands', 'history'),
  sibling(6, 'tasks', 'scenes'),
  sibling(8, 'home', 'search'),
]

let root: string
const build = async (tree: Tree) => {
  for (const [path, text] of Object.entries(tree)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
}
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'import-rules-'))
  await build(lawful)
  await mkdir(join(root, 'node_modules/@ithings'), { recursive: true })
  await symlink('../../packages/contract', join(root, 'node_modules/@ithings/contract'))
})
afterEach(() => rm(root, { recursive: true }))

test('a lawful tree passes and every file of it was seen', async () => {
  const files = Object.keys(lawful).filter((path) => /\.tsx?$/.test(path))
  expect(await checkImports(root)).toEqual({ modules: files.length, violations: [] })
})

test.each(planted)('%s is found', async (rule, files) => {
  await build(files)
  const { violations } = await checkImports(root)
  const found = violations.filter((violation) => violation.rule === rule)
  expect(found).not.toEqual([])
  for (const { from } of found) expect(Object.keys(files)).toContain(from)
})

test('every rule has its planted fault, but those of levels with a single feature', () => {
  const alone = ['no-sibling-in-level-2', 'no-sibling-in-level-7']
  const proven = planted.map(([rule]) => rule)
  expect(config.forbidden.map(({ name }) => name).toSorted()).toEqual([...proven, ...alone].toSorted())
})
