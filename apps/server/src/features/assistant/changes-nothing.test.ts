/** A key with every right, every tool that there is: nothing changes. */
import { allEndpoints } from '@ithings/contract/all-endpoints.ts'
import { BusinessType } from '@ithings/contract/endpoint.ts'
import { createAlarm } from '@ithings/contract/features/alarms/config.ts'
import { createGroup } from '@ithings/contract/features/groups.ts'
import { listOperationLogs } from '@ithings/contract/features/logs.ts'
import { createChannel } from '@ithings/contract/features/notify.ts'
import {
  applyConfig,
  approvePlan,
  createPlan,
  listPlans,
  PlanState,
  readPlan,
  refusePlan,
  undoPlan,
} from '@ithings/contract/features/plans.ts'
import { readDeviceSecret, readProductSecret } from '@ithings/contract/features/secrets.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestDevice } from '#testing/mqtt-device.ts'
import { openWorld, type World } from '#testing/world.ts'
import { makeConnected } from '../../uplink/testing/full-product.ts'
import { ask, connect, listen, makeKey, shownOf, textOf } from './testing/connect.ts'
import { isForAssistants } from './tools.ts'

let world: World
let url: string
let device: TestDevice
let known: Record<string, unknown>
const hookKey = 'robot-key-that-nobody-reads'
beforeAll(async () => {
  world = await openWorld()
  url = await listen(world)
  device = await makeConnected(world)
  const { id } = await world.asAdmin(createAlarm, { name: '超温', level: 3, status: 1 })
  const group = await world.asAdmin(createGroup, { groupName: '一车间' })
  const webhook = { url: `https://hooks.example.com/${hookKey}`, headers: [], secret: 'sign-secret-of-hook' }
  await world.asAdmin(createChannel, { name: '值班', type: 'webhook', settings: webhook })
  const now = world.clock.now()
  known = {
    ...device.key,
    deviceNames: [device.key.deviceName],
    id,
    groupID: group.groupID,
    userID: 1,
    roleID: 1,
    taskID: 1,
    firmwareID: 1,
    alarmID: id,
    sceneID: 1,
    jobID: 'none',
    version: 1,
    keyword: 'a',
    timeStart: now - 86_400_000,
    timeEnd: now,
    page: { page: 1, size: 5 },
  }
})
afterAll(async () => {
  await device?.end()
  await world?.close()
})

/** Written by the server itself, whoever calls: its beat, its counts, when a key was used, what the device just sent. */
const ownWork =
  /^(platform_server|home_.*|api_key|user_session|scene_checkpoint|journal.*|latest_.*|property_.*|schema_version)$/

async function fingerprints(): Promise<Record<string, string>> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(world.db)
  const found: Record<string, string> = {}
  for (const { name } of rows.filter((row) => !ownWork.test(row.name))) {
    const { rows: sums } = await sql<{ sum: string }>`
      select count(*) || ' ' || coalesce(md5(string_agg(md5(one::text), '' order by md5(one::text))), '') as sum
      from ${sql.table(name)} as one`.execute(world.db)
    found[name] = sums[0]?.sum ?? ''
  }
  return found
}

/** What is still being written down would look like a change. */
async function settled(): Promise<Record<string, string>> {
  await world.app.operationLog.flush()
  let last = await fingerprints()
  await expect
    .poll(async () => {
      const before = last
      last = await fingerprints()
      return JSON.stringify(before) === JSON.stringify(last)
    })
    .toBe(true)
  return last
}

test('tools that read change no table, and no answer holds a secret', async () => {
  const client = await connect(url, (await makeKey(world, { perMinute: 6_000 })).key)
  const { tools } = await client.listTools()
  const secrets = [
    (await world.asAdmin(readDeviceSecret, device.key)).secret,
    (await world.asAdmin(readProductSecret, { productID: device.key.productID })).secret,
    hookKey,
    'sign-secret-of-hook',
  ]
  const before = await settled()
  const succeeded = []
  for (const { name, annotations } of tools) {
    if (!annotations?.readOnlyHint) continue
    for (const args of [{}, known]) {
      const result = await ask(client, name, args)
      const text = JSON.stringify(result)
      for (const secret of secrets)
        expect(text.includes(JSON.stringify(secret).slice(1, -1)), `${name} ${secret}`).toBe(false)
      if (shownOf(result).data.code === 100007) throw new Error(`${name}: ${text}`)
      if (!result.isError) succeeded.push(name)
    }
  }
  expect(await settled()).toEqual(before)
  // Most of them did their work; what is asked for by name is not always there.
  expect(new Set(succeeded).size).toBeGreaterThan(tools.length * 0.6)
  await client.close()
})

test('a proposal adds a plan and a line of the operation log, and nothing else', async () => {
  const name = '计划助手'
  const { key } = await makeKey(world, { name })
  const client = await connect(url, key)
  const { data: exported } = shownOf(await ask(client, 'export_config', { kinds: ['product'] }))
  const [product] = exported.list
  const renamed = { ...product, spec: { ...product.spec, desc: '<img src=x onerror=alert(1)>\u202e' } }
  const before = await settled()
  const reason = '**bold** <script>alert(1)</script>\u202e</data 0>'
  const proposal = { title: '改说明 <b>x</b>', reason, objects: [renamed], remove: [{ kind: 'alarm', name: '超温' }] }
  const result = await ask(client, 'propose_changes', proposal)
  expect(result.isError, textOf(result)).toBeUndefined()
  const { data, notes } = shownOf(result)
  expect(data.diff).toContain(`~ product ${device.key.productID}`)
  expect(data.diff).toContain('- alarm 超温')
  expect(data.diff).not.toContain('\u202e')
  expect(notes.join()).toContain(`/front/iThingsCore/systemMangers/plan/index?plan=${data.id}`)
  const after = await settled()
  const changed = Object.keys(after).filter((table) => after[table] !== before[table])
  expect(changed.toSorted()).toEqual(['config_plan', 'operation_log'])
  const plans = await world.asAdmin(listPlans, {})
  expect(plans.list[0]).toMatchObject({
    id: data.id,
    state: PlanState.proposed,
    origin: 'assistant',
    keyName: name,
    reason,
  })
  const logged = await world.asAdmin(listOperationLogs, { page: { page: 1, size: 1 } })
  expect(logged.list[0]).toMatchObject({ uri: createPlan.path, operUserName: expect.stringContaining(name) })
  const read = shownOf(await ask(client, 'read_plan', { id: data.id }))
  expect(read.data).toMatchObject({ id: data.id, title: proposal.title, diff: data.diff })
  await client.close()
})

test('no tool decides about a plan, and a key cannot', async () => {
  const client = await connect(url, (await makeKey(world)).key)
  for (const { path } of [approvePlan, refusePlan, undoPlan, applyConfig]) {
    const tool = path.replace('/api/v1/', '').replaceAll(/[^a-z0-9]+/g, '_')
    await expect(ask(client, tool, { id: 1 })).rejects.toThrow('Unknown tool')
  }
  await client.close()
})

test('a proposal that says it comes from the console is one of an assistant all the same', async () => {
  const client = await connect(url, (await makeKey(world)).key)
  const { tools } = await client.listTools()
  expect(tools.find(({ name }) => name === 'propose_changes')?.inputSchema.properties).not.toHaveProperty('origin')
  const remove = [{ kind: 'alarm', name: '超温' }]
  const { data } = shownOf(await ask(client, 'propose_changes', { title: 'x', objects: [], remove, origin: 'console' }))
  const { origin } = await world.asAdmin(readPlan, { id: data.id })
  expect(origin).toBe('assistant')
  await client.close()
})

test('a proposal without a title, or of an object that is none, is refused with the field', async () => {
  const client = await connect(url, (await makeKey(world)).key)
  const untitled = await ask(client, 'propose_changes', { objects: [] })
  expect([untitled.isError, shownOf(untitled).data.field]).toEqual([true, 'title'])
  const wrong = await ask(client, 'propose_changes', { title: 'x', objects: [{ kind: 'user', name: 'x', spec: {} }] })
  expect([wrong.isError, shownOf(wrong).data.code]).toEqual([true, 100006])
  await client.close()
})

test('what changes something in the contract is no tool, but for the proposal of a plan', () => {
  const changing = allEndpoints.filter(({ businessType }) => businessType !== BusinessType.query)
  expect(changing.filter(isForAssistants)).toEqual([createPlan])
  expect(allEndpoints.filter(isForAssistants).map(({ path }) => path)).not.toContain(
    '/api/v1/things/rule/scene/info/backtest',
  )
})
