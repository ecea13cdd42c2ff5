import { listAlarms } from '@ithings/contract/features/alarms/config.ts'
import { listOperationLogs } from '@ithings/contract/features/logs.ts'
import {
  createChannel,
  deleteChannel,
  listChannels,
  readChannel,
  updateChannel,
} from '@ithings/contract/features/notify.ts'
import {
  applyConfig,
  approvePlan,
  ChangeAct,
  createPlan,
  exportConfig,
  listPlans,
  PlanState,
  previewConfig,
  readPlan,
  refusePlan,
  undoPlan,
} from '@ithings/contract/features/plans.ts'
import { createProduct, listProducts, updateProduct } from '@ithings/contract/features/products.ts'
import { createRole, listRoles, updateRoleApis } from '@ithings/contract/features/roles.ts'
import { createScene, listScenes } from '@ithings/contract/features/scenes/info.ts'
import { listSchemaVersions } from '@ithings/contract/features/thing-model.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeRole, makeSignedIn } from '#testing/people.ts'
import { adminName, adminPassword } from '#testing/test-config.ts'
import { openWorld, type World } from '#testing/world.ts'
import { dropOldPlans } from './housekeeping.ts'
import { exportAll, find, makeKey } from './testing/rebuild.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(async () => world.close())

const productID = 'planPump001'
const pump = { kind: 'product' as const, name: productID, spec: { productName: '水泵' } }
const model = {
  kind: 'model' as const,
  name: productID,
  spec: {
    properties: [{ identifier: 'speed', name: '转速', mode: 'rw', define: { type: 'int', min: '0', max: '100' } }],
  },
}
const script = {
  kind: 'script' as const,
  name: productID,
  spec: { transformScript: 'function thingPropertyUp(bytes) { return {} }' },
}
const channel = (name = '值班邮箱') => ({
  kind: 'channel' as const,
  name,
  spec: { type: 'email', settings: { to: ['a@example.com'] } },
})
const alarm = (channels: string[] = ['值班邮箱']) => ({
  kind: 'alarm' as const,
  name: '高温',
  spec: { level: 3, notify: { channels } },
})
const scene = (name: string, then: object[], alarms: string[] = []) => ({
  kind: 'scene' as const,
  name,
  spec: { triggerType: 'manual', then, alarms },
})
const wait = { executor: 'delay', delay: { time: 1, unit: 'seconds' } }
const runs = (name: string) => ({ executor: 'scene', scene: { name } })
const everything = [
  // In the wrong order, as people write: scenes before what they name.
  scene('总控', [runs('分控'), { executor: 'alarm', alarm: { mode: 'trigger' } }], ['高温']),
  scene('分控', [wait, { executor: 'notify', notify: { channels: ['值班邮箱'], title: '到了' } }]),
  alarm(),
  channel(),
  script,
  model,
  pump,
  { kind: 'role' as const, name: '巡检', spec: { menus: ['/deviceMangers/device/index'], apis: [listScenes.path] } },
]

const clear = async () => {
  const { list } = await world.asAdmin(exportConfig, {})
  const mine = list.filter(({ kind, name }) => kind !== 'role' || name === '巡检')
  if (mine.length === 0) return
  const { id } = await world.asAdmin(createPlan, {
    objects: [],
    title: '清空',
    remove: mine.map(({ kind, name }) => ({ kind, name })),
  })
  await world.asAdmin(approvePlan, { id })
}

test('everything is made in the order that it needs, and its own export changes nothing', async () => {
  const made = await world.asAdmin(applyConfig, { objects: everything, title: '首次' })
  expect(made.changes.map(({ kind, name, act, problem }) => [kind, name, act, problem])).toEqual([
    ['product', productID, ChangeAct.create, ''],
    ['model', productID, ChangeAct.create, ''],
    ['script', productID, ChangeAct.create, ''],
    ['channel', '值班邮箱', ChangeAct.create, ''],
    ['alarm', '高温', ChangeAct.create, ''],
    ['scene', '分控', ChangeAct.create, ''],
    ['scene', '总控', ChangeAct.create, ''],
    ['role', '巡检', ChangeAct.create, ''],
  ])
  const exported = await exportAll(world)
  expect((await world.asAdmin(previewConfig, { objects: exported, prune: true })).changes).toEqual([])
  expect((await world.asAdmin(previewConfig, { objects: everything })).changes).toEqual([])
  expect(await world.asAdmin(applyConfig, { objects: exported, prune: true })).toEqual({ id: 0, changes: [] })
  const [{ alarms } = { alarms: [] }] = (await world.asAdmin(listScenes, { name: '总控' })).list
  expect(alarms.map(({ name }) => name)).toEqual(['高温'])
  expect((await world.asAdmin(listSchemaVersions, { productID })).total).toBe(1)
  // Every act is in the operation log beside the plan itself, under one number of the request.
  await world.app.operationLog.flush()
  const { list } = await world.asAdmin(listOperationLogs, { page: { page: 1, size: 100 } })
  expect(list.map(({ operName }) => operName)).toEqual(expect.arrayContaining(['应用配置', '新增场景', '新增产品']))
})

test('what is undone is as it was, and a second time is refused', async () => {
  const { list } = await world.asAdmin(listPlans, {})
  const [first] = list
  expect(first).toMatchObject({ title: '首次', state: PlanState.applied, creates: 8, origin: 'console' })
  await world.asAdmin(undoPlan, { id: first?.id ?? 0 })
  expect((await world.asAdmin(listProducts)).total).toBe(0)
  expect((await world.asAdmin(listScenes)).total).toBe(0)
  const again = await world.call(undoPlan, { id: first?.id }, { token: world.admin })
  expect(again).toMatchObject({ code: 100006, msg: expect.stringContaining('已撤销') })
})

test('a refusal in the middle leaves nothing changed, and nobody is told of anything', async () => {
  const before = await exportAll(world)
  // The alarm comes after product, model, script and channel, and before the scenes.
  const wrong = everything.map((one) => (one.kind === 'alarm' ? alarm(['没有的渠道']) : one))
  const tried = await world.call(applyConfig, { objects: wrong }, { token: world.admin })
  expect(tried).toMatchObject({ code: 100009, msg: expect.stringContaining('通知渠道「没有的渠道」不存在') })
  expect(tried.msg).toContain('告警配置「高温」')
  expect(await exportAll(world)).toEqual(before)
  expect((await world.asAdmin(listProducts)).total).toBe(0)
})

test('a preview tells every problem by itself and changes nothing', async () => {
  const { changes } = await world.asAdmin(previewConfig, {
    objects: [
      pump,
      { ...pump, spec: { productName: '又一个' } },
      { kind: 'alarm', name: '没有级别', spec: {} },
      { kind: 'alarm', name: '写错了', spec: { level: 2, notfy: { channels: ['a'] } } },
      alarm(['没有的渠道']),
      scene('甲', [runs('乙')]),
      scene('乙', [runs('甲')]),
      { kind: 'script', name: productID, spec: { transformScript: 'function (' } },
      { kind: 'role', name: '怪', spec: { menus: ['/no/such'], apis: [] } },
    ],
  })
  const said = Object.fromEntries(
    changes.map(({ kind, name, problem }) => [`${kind} ${name} ${problem ? '' : 'ok'}`.trim(), problem]),
  )
  const problem = (start: string) => Object.entries(said).find(([key]) => key.startsWith(start))?.[1]
  expect(changes.filter(({ kind }) => kind === 'product').map((one) => one.problem)).toEqual([
    '',
    expect.stringContaining('不止一个'),
  ])
  expect(problem('alarm 没有级别')).toContain('level')
  expect(problem('alarm 写错了')).toContain('没有「notfy」这个字段')
  expect(problem('alarm 高温')).toContain('没有的渠道')
  expect([problem('scene 甲'), problem('scene 乙')].filter(Boolean).length).toBe(2)
  expect(problem('script')).not.toBe('')
  expect(problem('role 怪')).toContain('菜单「/no/such」不存在')
  expect((await world.asAdmin(listProducts)).total).toBe(0)
  expect((await world.asAdmin(listPlans, { title: '没有' })).total).toBe(0)
})

test('a key proposes, a person sees it, and only a person decides', async () => {
  const key = await makeKey(world)
  const proposed = await world.call(
    createPlan,
    { objects: [pump], title: '加水泵', reason: '因为', origin: 'assistant' },
    key,
  )
  expect(proposed.code).toBe(200)
  const { id } = proposed.data
  expect((await world.asAdmin(listProducts)).total).toBe(0)
  for (const endpoint of [approvePlan, refusePlan, undoPlan])
    expect(await world.call(endpoint, { id }, key)).toMatchObject({ status: 403, code: 100012 })
  const seen = await world.asAdmin(readPlan, { id })
  expect(seen).toMatchObject({
    title: '加水泵',
    reason: '因为',
    origin: 'assistant',
    keyName: expect.stringContaining('脚本'),
  })
  expect(seen.changes).toMatchObject([
    { kind: 'product', act: ChangeAct.create, after: { productName: '水泵' }, problem: '' },
  ])
  await world.asAdmin(refusePlan, { id, reason: '不需要' })
  expect(await world.asAdmin(readPlan, { id })).toMatchObject({ state: PlanState.refused, decision: '不需要' })
  expect(await world.call(approvePlan, { id }, { token: world.admin })).toMatchObject({ code: 100006 })
  expect((await world.asAdmin(listProducts)).total).toBe(0)
  expect(await world.call(createPlan, { objects: [], title: '空' }, key)).toMatchObject({ code: 100006 })
})

test('what was changed meanwhile stops approval and undo with 900001, and the reader sees what stands now', async () => {
  await world.asAdmin(createProduct, { productID, productName: '水泵', desc: '甲' })
  const objects = [{ ...pump, spec: { productName: '水泵', desc: '乙' } }]
  const { id } = await world.asAdmin(createPlan, { objects, title: '改说明' })
  await world.asAdmin(updateProduct, { productID, desc: '丙' })
  const refused = await world.call(approvePlan, { id }, { token: world.admin })
  expect(refused).toMatchObject({ code: 900001, msg: expect.stringContaining(`产品「${productID}」`) })
  const [change] = (await world.asAdmin(readPlan, { id })).changes
  expect(change).toMatchObject({ before: { desc: '甲' }, after: { desc: '乙' }, now: { desc: '丙' } })
  expect(change?.problem).toContain('提出之后被修改过')
  await world.asAdmin(updateProduct, { productID, desc: '甲' })
  await world.asAdmin(approvePlan, { id })
  await world.asAdmin(updateProduct, { productID, desc: '丁' })
  expect(await world.call(undoPlan, { id }, { token: world.admin })).toMatchObject({ code: 900001 })
  await world.asAdmin(updateProduct, { productID, desc: '乙' })
  await world.asAdmin(undoPlan, { id })
  expect(find(await exportAll(world), 'product', productID).spec.desc).toBe('甲')
})

test('two approvals at once: one does it, the other is told', async () => {
  const { id } = await world.asAdmin(createPlan, { objects: [channel('同时')], title: '同时' })
  const both = await Promise.all([1, 2].map(() => world.call(approvePlan, { id }, { token: world.admin })))
  expect(both.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 100006])
  expect((await world.asAdmin(listChannels, { name: '同时' })).total).toBe(1)
})

test('secrets leave in no answer, stay where they are not named, and come back with an undo', async () => {
  const url = 'https://example.com/hooks/hush-1'
  const headers = [{ key: 'X-Token', value: 'hush-2' }]
  await world.asAdmin(createChannel, { name: '群', type: 'webhook', settings: { url, headers, secret: 'hush-3' } })
  const then = [{ executor: 'notify', notify: { type: 'webhook', url: 'https://example.com/in/hush-4', title: 'x' } }]
  await world.asAdmin(createScene, { name: '直接通知', triggerType: 'manual', then: JSON.stringify(then) })
  const exported = await exportAll(world)
  expect(JSON.stringify(exported)).not.toContain('hush')
  const own = find(exported, 'channel', '群')
  expect(own.spec).toMatchObject({ settings: { url: 'https://example.com/******', secret: '******' } })
  expect((await world.asAdmin(previewConfig, { objects: exported, prune: true })).changes).toEqual([])

  // As a file with the real address has it: another key behind the same mask is a change, and is seen as one.
  const settings = { ...(own.spec.settings as object), url: 'https://example.com/hooks/hush-5' }
  const objects = [{ ...own, spec: { ...own.spec, settings } }]
  const { id, changes } = await world.asAdmin(createPlan, { objects, title: '换地址' })
  expect(changes[0]?.after).toMatchObject({ settings: { url: 'https://example.com/****** *' } })
  const stored = await world.db
    .selectFrom('config_plan')
    .select('changes')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(JSON.stringify(stored)).not.toContain('hush')
  expect(JSON.stringify(await world.asAdmin(readPlan, { id }))).not.toContain('hush')
  await world.asAdmin(approvePlan, { id })
  const [row] = (await world.asAdmin(listChannels, { name: '群' })).list
  const whole = await world.asAdmin(readChannel, { id: row?.id ?? 0 })
  expect(whole).toMatchObject({ hasSecret: true, settings: { url: 'https://example.com/hooks/hush-5', headers } })

  const removal = await world.asAdmin(createPlan, {
    objects: [],
    title: '删',
    remove: [{ kind: 'channel', name: '群' }],
  })
  await world.asAdmin(approvePlan, { id: removal.id })
  await world.asAdmin(undoPlan, { id: removal.id })
  const [back] = (await world.asAdmin(listChannels, { name: '群' })).list
  expect(await world.asAdmin(readChannel, { id: back?.id ?? 0 })).toMatchObject({
    hasSecret: true,
    settings: { url: 'https://example.com/hooks/hush-5', headers },
  })
  await world.app.operationLog.flush()
  const { list } = await world.asAdmin(listOperationLogs, { page: { page: 1, size: 100 } })
  expect(JSON.stringify(list)).not.toContain('hush-5')
})

test('a hidden address makes no new channel: the problem says what to fill in', async () => {
  const own = find(await exportAll(world), 'channel', '群')
  const { changes } = await world.asAdmin(previewConfig, { objects: [{ ...own, name: '另一个' }] })
  expect(changes[0]?.problem).toContain('被隐藏的内容')
})

test('without the right to an act it is proposed and not applied, and roles give no more than their giver has', async () => {
  const apis = [
    createPlan,
    applyConfig,
    previewConfig,
    exportConfig,
    listPlans,
    readPlan,
    approvePlan,
    listRoles,
    listAlarms,
  ]
  const role = await makeRole(world, [...apis, createRole, updateRoleApis])
  const { token } = await makeSignedIn(world, { role })
  const objects = [alarm([])]
  const unasked = await world.call(previewConfig, { objects }, { token })
  expect(unasked.data.changes[0]?.problem).toContain('没有「新增告警」的权限')
  expect(await world.call(applyConfig, { objects }, { token })).toMatchObject({ code: 100012 })
  const proposed = await world.call(createPlan, { objects, title: '只读者的提议' }, { token })
  expect(proposed.data.changes[0]).toMatchObject({ kind: 'alarm', problem: '' })
  expect((await world.asAdmin(listAlarms, { name: objects[0]?.name ?? '' })).total).toBe(0)
  const strong = { kind: 'role', name: '更强', spec: { apis: [createChannel.path] } }
  for (const endpoint of [applyConfig, createPlan])
    expect(await world.call(endpoint, { objects: [strong], title: 'x' }, { token })).toMatchObject({ code: 100012 })
  expect((await world.asAdmin(listRoles, { name: '更强' })).total).toBe(0)
  const weak = { ...strong, spec: { apis: [listPlans.path] } }
  expect(await world.call(applyConfig, { objects: [weak] }, { token })).toMatchObject({ code: 200 })
  // What he may not list he does not see, and may not ask for.
  const { data } = await world.call(exportConfig, {}, { token })
  expect(new Set(data.list.map(({ kind }) => kind))).toEqual(new Set(['role']))
  expect(await world.call(exportConfig, { kinds: ['channel'] }, { token })).toMatchObject({ code: 100012 })
  // A person approves with his own rights, whoever proposed it.
  const { id } = await world.asAdmin(createPlan, { objects, title: '告警' })
  expect(await world.call(approvePlan, { id }, { token })).toMatchObject({ code: 100012 })
  expect((await world.asAdmin(listPlans, { title: '告警' })).list[0]).toMatchObject({ state: PlanState.proposed })
})

test('built-in roles can be changed and not deleted; the rights of the administrator are nobody’s to change', async () => {
  const exported = await exportAll(world)
  const roles = exported.filter(({ kind }) => kind === 'role')
  expect(find(roles, 'role', 'admin').spec).not.toHaveProperty('apis')
  const user = find(roles, 'role', 'user')
  const { changes } = await world.asAdmin(previewConfig, {
    objects: roles.filter((one) => one !== user),
    prune: true,
  })
  expect(changes).toMatchObject([{ name: 'user', act: ChangeAct.delete }])
  expect(changes[0]?.problem).toContain('不能删除')
  const weaker = { ...user, spec: { ...user.spec, apis: [] } }
  const made = await world.asAdmin(applyConfig, { objects: [weaker] })
  expect(made.changes).toHaveLength(1)
  await world.asAdmin(undoPlan, { id: made.id })
  expect(find(await exportAll(world), 'role', 'user')).toEqual(user)
  const admin = { kind: 'role', name: 'admin', spec: { ...find(roles, 'role', 'admin').spec, apis: [] } }
  const tried = await world.asAdmin(previewConfig, {
    objects: [{ ...admin, spec: { ...admin.spec, apis: [listPlans.path] } }],
  } as never)
  expect(tried.changes[0]?.problem).toContain('管理员角色始终拥有全部接口')
})

test('a key of one product plans for that product alone', async () => {
  await world.asAdmin(createProduct, { productID: 'planOther01', productName: '别的' })
  const key = await makeKey(world, { productID })
  const seen = (await world.call(exportConfig, {}, key)).data.list
  expect(new Set(seen.map(({ name }) => name))).toEqual(new Set([productID]))
  const wanted = [{ ...pump, spec: { productName: '水泵', desc: '由密钥' } }, model]
  expect((await world.call(applyConfig, { objects: wanted }, key)).code).toBe(200)
  const other = { kind: 'product', name: 'planOther01', spec: { productName: '别的', desc: '由密钥' } }
  expect((await world.call(applyConfig, { objects: [other] }, key)).code).not.toBe(200)
  for (const foreign of [alarm([]), channel('密钥的'), scene('密钥的', [wait])])
    expect(await world.call(applyConfig, { objects: [foreign] }, key)).toMatchObject({ code: 100012 })
  // What it does not see it does not delete either.
  const { data } = await world.call(previewConfig, { objects: [pump], prune: true }, key)
  expect(data.changes.map(({ name }) => name)).not.toContain('planOther01')
})

test('pruning deletes what is not named of the kinds that are, with what belongs to it, and undo brings all back', async () => {
  await clear()
  await world.asAdmin(applyConfig, { objects: everything })
  const before = await exportAll(world)
  const kept = [
    { ...scene('独自', [wait]) },
    channel('留下'),
    { kind: 'product' as const, name: 'planKept001', spec: { productName: '留下' } },
  ]
  const { id, changes } = await world.asAdmin(createPlan, {
    objects: kept,
    prune: true,
    remove: [{ kind: 'alarm', name: '高温' }],
    title: '换',
  })
  expect(changes.filter(({ act }) => act === ChangeAct.delete).map(({ kind, problem }) => [kind, problem])).toEqual([
    ['scene', ''],
    ['scene', ''],
    ['alarm', ''],
    ['channel', ''],
    ['script', ''],
    ['model', ''],
    ['product', ''],
  ])
  await world.asAdmin(approvePlan, { id })
  expect(
    (await exportAll(world))
      .filter(({ kind }) => kind !== 'role')
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(['planKept001', '独自', '留下'].toSorted())
  await world.asAdmin(undoPlan, { id })
  expect(await exportAll(world)).toEqual(before)
})

test('a channel that something outside of plans uses is not deleted, and nothing else of the plan happens', async () => {
  await clear()
  await world.asAdmin(applyConfig, { objects: everything })
  const plan = { objects: [scene('新的', [wait])], remove: [{ kind: 'channel', name: '值班邮箱' }], title: '删渠道' }
  const { id, changes } = await world.asAdmin(createPlan, plan as never)
  expect(find(changes, 'channel', '值班邮箱').problem).toContain('正被使用')
  expect(await world.call(approvePlan, { id }, { token: world.admin })).toMatchObject({ code: 100019 })
  expect((await world.asAdmin(listScenes, { name: '新的' })).total).toBe(0)
})

test('a channel that is renamed elsewhere keeps its alarm: the export speaks of what it is called now', async () => {
  const [row] = (await world.asAdmin(listChannels, { name: '值班邮箱' })).list
  await world.asAdmin(updateChannel, { id: row?.id ?? 0, name: '新名字' })
  expect(find(await exportAll(world), 'alarm', '高温').spec).toMatchObject({ notify: { channels: ['新名字'] } })
  await expect(world.asAdmin(deleteChannel, { id: row?.id ?? 0 })).rejects.toThrow('100019')
})

test('nobody decided for 30 days: the proposal has expired', async () => {
  const { id } = await world.asAdmin(createPlan, { objects: [channel('太晚')], title: '太晚' })
  world.clock.advance(31 * 86_400_000)
  const token = await world.signIn(adminName, adminPassword)
  const late = await world.call(approvePlan, { id }, { token })
  expect(late).toMatchObject({ code: 100006, msg: expect.stringContaining('已过期') })
  await dropOldPlans(world.db, world.clock)
  const { state } = await world.db
    .selectFrom('config_plan')
    .select('state')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(state).toBe(PlanState.expired)
})
