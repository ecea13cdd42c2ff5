/** The fleet in two languages: one plan, and whoever loads it in English meets no Chinese in anything that it made. */
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toEnglish } from '@ithings/contract/english.ts'
import { dealResults } from '@ithings/contract/features/alarms/record.ts'
import { loadDemo } from '@ithings/contract/features/demo.ts'
import { JobStatus, readJob } from '@ithings/contract/features/jobs.ts'
import { fill, sayKept } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openWorld, type World } from '#testing/world.ts'
import { coldChainCase, coldChainScript } from './fleet/cold-chain.ts'
import { demoDevices } from './fleet/devices.ts'
import { demoProducts } from './fleet/products.ts'
import { demoAlarms, demoScenes } from './fleet/scenes.ts'
import { inWords, wordsFor } from './words.ts'

const chinese = /\p{Script=Han}|[，。：；（）「」、]/u

test('the Chinese fleet is the one that was always loaded', () => {
  const said = (what: unknown) => inWords(what, wordsFor('zh'))
  const plan = [demoDevices('zh'), said(demoProducts), said(demoScenes(7)), said(demoAlarms), coldChainCase]
  const text = JSON.stringify([...plan, coldChainScript(fill)])
  // A change of the Chinese demo changes this on purpose only.
  expect(createHash('sha256').update(text).digest('hex')).toBe(
    '48127fbdad8d148db2ecf77c439be703f3d819712918a8801dd78704c48a7ad8',
  )
})

test('both fleets have the same devices in the same states; the English one stands on all inhabited continents', () => {
  const facts = (language: 'zh' | 'en') =>
    demoDevices(language).map(({ product, deviceName, state, awayHours, version, gateway }) => [
      product.productID,
      deviceName,
      state,
      awayHours,
      version,
      gateway,
    ])
  expect(facts('en')).toEqual(facts('zh'))
  const english = demoDevices('en')
  expect(new Set(english.map(({ place }) => place.city)).size).toBe(30)
  expect(new Set(english.map(({ alias }) => alias)).size).toBeGreaterThan(150)
  expect(english.find(({ deviceName }) => deviceName === 'pump-001')).toMatchObject({
    alias: 'London East pump station',
    address: 'Pump house, 18 Station Road, London, United Kingdom',
  })
  const [west, south] = [
    Math.min(...english.map((one) => one.longitude)),
    Math.min(...english.map((one) => one.latitude)),
  ]
  expect(west).toBeLessThan(-100)
  expect(south).toBeLessThan(-30)
})

/** Written by the platform itself, in whatever language; the console says them. */
const others = ['api', 'app_user', 'home_place', 'job', 'login_log', 'menu', 'operation_log', 'role', 'user_session']
/** What devices are answered is Chinese. */
const answers = /^journal\.content: \{"method":.*"code":/

async function chineseOf(world: World): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition order by 1`.execute(world.db)
  const found: string[] = []
  for (const { name } of tables.filter((table) => !others.includes(table.name))) {
    const { rows } = await sql<{ row: Record<string, unknown> }>`
      select to_jsonb(found) as row from ${sql.table(name)} found`.execute(world.db)
    for (const [column, value] of rows.flatMap(({ row }) => Object.entries(row))) {
      const text = sayKept(typeof value === 'string' ? value : JSON.stringify(value), toEnglish)
      if (chinese.test(text) && text !== dealResults.relieved) found.push(`${name}.${column}: ${text}`)
    }
  }
  return found.filter((line) => !answers.test(line))
}

test('loaded in English it has no Chinese in any table that it writes', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'ithings-demo-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const world = await openWorld({ config: { filesDir: dir, dataDir: dir } })
  onTestFinished(() => world.close())
  const before = await chineseOf(world)
  const { data } = await world.call(loadDemo, {}, { token: world.admin, headers: { 'accept-language': 'en' } })
  const jobID = data?.jobID ?? ''
  await expect
    .poll(async () => (await world.asAdmin(readJob, { jobID })).status, { interval: 200 })
    .not.toSatisfy((status: number) => status === JobStatus.waiting || status === JobStatus.running)
  expect(await world.asAdmin(readJob, { jobID })).toMatchObject({ status: JobStatus.done, error: '' })
  expect((await chineseOf(world)).filter((line) => !before.includes(line))).toEqual([])
})
