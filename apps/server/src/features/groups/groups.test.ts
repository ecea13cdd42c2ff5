import { type DeviceKey, deleteDevice } from '@ithings/contract/features/devices/info.ts'
import {
  addGroupDevices,
  createGroup,
  deleteGroup,
  listGroupDevices,
  listGroups,
  listGroupsOfDevice,
  readGroup,
  removeGroupDevices,
  updateGroup,
} from '@ithings/contract/features/groups.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sealed } from '#db/sealed-column.ts'
import { activate, makeDevice, makeProduct } from '#features/devices/testing/make-devices.ts'
import { uniqueText } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'

let world: World
let productID: string

beforeAll(async () => {
  world = await openWorld()
  productID = await makeProduct(world, { productName: '水泵' })
})
afterAll(() => world.close())

const asAdmin = () => ({ token: world.admin })
async function makeGroup(parentID?: number, groupName = uniqueText('组')): Promise<number> {
  const { groupID } = await world.asAdmin(createGroup, { groupName, ...(parentID ? { parentID } : {}) })
  return Number(groupID)
}
const read = (groupID: number) => world.asAdmin(readGroup, { groupID })

describe('create', () => {
  test('a group comes back with every field of the contract and its wire type', async () => {
    const { groupID } = await world.asAdmin(createGroup, {
      groupName: ' 一厂 ',
      parentID: '1',
      productID,
      desc: '说明',
      tags: [{ key: 'k', value: 'v' }],
    })
    expect(await read(Number(groupID))).toEqual({
      groupID,
      parentID: '1',
      groupName: '一厂',
      productID,
      productName: '水泵',
      desc: '说明',
      tags: [{ key: 'k', value: 'v' }],
      createdTime: expect.stringMatching(/^\d{10}$/),
      projectID: '0',
      deviceCount: 0,
      totalCount: 0,
      onlineCount: 0,
      rev: 1,
    })
  })

  test('a name that exists anywhere in the tree is refused with 100010', async () => {
    const top = await makeGroup(undefined, '重名')
    const twice = await world.call(createGroup, { groupName: '重名', parentID: top }, asAdmin())
    expect(twice).toMatchObject({ status: 400, code: 100010, msg: '组名重复:重名' })
  })

  test('a fourth level is refused with 100015', async () => {
    const third = await makeGroup(await makeGroup(await makeGroup()))
    const fourth = await world.call(createGroup, { groupName: uniqueText('组'), parentID: third }, asAdmin())
    expect(fourth).toMatchObject({ status: 400, code: 100015, msg: '子分组嵌套不能超过3层' })
  })

  test('unknown parents and products are refused with 100009', async () => {
    for (const wrong of [{ parentID: 999_999 }, { productID: 'nowhere0000' }]) {
      const refused = await world.call(createGroup, { groupName: uniqueText('组'), ...wrong }, asAdmin())
      expect(refused).toMatchObject({ status: 400, code: 100009 })
    }
  })

  test('names of nothing and of 33 characters are refused with 100006', async () => {
    for (const groupName of ['', ' ', '长'.repeat(33)]) {
      expect(await world.call(createGroup, { groupName }, asAdmin())).toMatchObject({ code: 100006 })
    }
  })
})

test('every change of the tree and of members is told to all servers', async () => {
  const client = new pg.Client({ connectionString: world.url })
  await client.connect()
  let told = 0
  client.on('notification', ({ payload = '' }) => {
    if (JSON.parse(payload).name === 'group.changed') told++
  })
  await client.query('listen ithings_signal')
  const untilTold = (times: number) => expect.poll(() => told).toBe(times)
  const groupID = await makeGroup()
  await untilTold(1)
  const list = [await makeDevice(world, productID)]
  await world.asAdmin(addGroupDevices, { groupID, list })
  await untilTold(2)
  await world.asAdmin(removeGroupDevices, { groupID, list })
  await untilTold(3)
  await world.asAdmin(updateGroup, { groupID, parentID: await makeGroup() })
  await untilTold(5)
  await world.asAdmin(deleteGroup, { groupID })
  await untilTold(6)
  await client.end()
})

describe('update', () => {
  test('absent fields stay, the public console sends an empty parentID for unchanged', async () => {
    const top = await makeGroup()
    const groupID = await makeGroup(top)
    const groupName = uniqueText('新名')
    await world.asAdmin(updateGroup, { groupID, groupName, parentID: '', tags: [{ key: 'a', value: '1' }] })
    expect(await read(groupID)).toMatchObject({ groupName, parentID: String(top), desc: '', rev: 2 })
    await world.asAdmin(updateGroup, { groupID, desc: '新', productID })
    expect(await read(groupID)).toMatchObject({ groupName, desc: '新', tags: [{ key: 'a', value: '1' }], productID })
  })

  test('a taken name is refused with 100010, an older rev with 900001, an unknown group with 100009', async () => {
    const taken = uniqueText('占用')
    await makeGroup(undefined, taken)
    const groupID = await makeGroup()
    expect(await world.call(updateGroup, { groupID, groupName: taken }, asAdmin())).toMatchObject({
      status: 400,
      code: 100010,
      msg: `组名重复:${taken}`,
    })
    await world.asAdmin(updateGroup, { groupID, desc: 'a', rev: 1 })
    expect(await world.call(updateGroup, { groupID, desc: 'b', rev: 1 }, asAdmin())).toMatchObject({ code: 900001 })
    expect(await world.call(updateGroup, { groupID: 999_999, desc: 'b' }, asAdmin())).toMatchObject({ code: 100009 })
  })

  test('a group moves with everything below it', async () => {
    const [from, to] = [await makeGroup(), await makeGroup()]
    const moved = await makeGroup(from)
    const leaf = await makeGroup(moved)
    await world.asAdmin(updateGroup, { groupID: moved, parentID: to })
    expect((await read(moved)).parentID).toBe(String(to))
    expect((await read(leaf)).parentID).toBe(String(moved))
    await world.asAdmin(updateGroup, { groupID: moved, parentID: 1 })
    expect((await read(moved)).parentID).toBe('1')
  })

  test('a subtree that would become too deep is refused with 100015', async () => {
    const tall = await makeGroup()
    await makeGroup(tall)
    const second = await makeGroup(await makeGroup())
    expect(await world.call(updateGroup, { groupID: tall, parentID: second }, asAdmin())).toMatchObject({
      status: 400,
      code: 100015,
    })
  })

  test('a ring is refused with 100006: below itself, below its own child', async () => {
    const groupID = await makeGroup()
    const child = await makeGroup(groupID)
    for (const parentID of [groupID, child]) {
      expect(await world.call(updateGroup, { groupID, parentID }, asAdmin())).toMatchObject({ code: 100006 })
    }
  })

  test('two moves that would form a ring together: one is refused', async () => {
    const [a, b] = [await makeGroup(), await makeGroup()]
    const answers = await Promise.all([
      world.call(updateGroup, { groupID: a, parentID: b }, asAdmin()),
      world.call(updateGroup, { groupID: b, parentID: a }, asAdmin()),
    ])
    expect(answers.map((answer) => answer.code).sort((a, b) => a - b)).toEqual([200, 100006])
  })
})

describe('devices', () => {
  const keys = (list: DeviceKey[]) => list.map((device) => device.deviceName).sort()

  test('counts of one product leave the devices of others out, each device counted once', async () => {
    const top = await makeGroup()
    const leaf = await makeGroup(top)
    const [a, b] = [await makeDevice(world, productID), await makeDevice(world, productID)]
    const other = await makeDevice(world, await makeProduct(world))
    await activate(world, b, true)
    await world.asAdmin(addGroupDevices, { groupID: top, list: [a, b] })
    await world.asAdmin(addGroupDevices, { groupID: leaf, list: [b, other] })
    const { listAll } = await world.asAdmin(listGroups, { countOf: productID })
    const counted = (groupID: number) => listAll.find((group) => group.groupID === String(groupID))
    expect(counted(top)).toMatchObject({ deviceCount: 2, totalCount: 2, onlineCount: 1 })
    expect(counted(leaf)).toMatchObject({ deviceCount: 1, totalCount: 1, onlineCount: 1 })
    expect(await read(top)).toMatchObject({ deviceCount: 2, totalCount: 3, onlineCount: 1 })
  })

  test('in and out in bulk, with the groups below, each device counted once', async () => {
    const top = await makeGroup()
    const leaf = await makeGroup(top)
    const [a, b, c] = [
      await makeDevice(world, productID),
      await makeDevice(world, productID),
      await makeDevice(world, productID),
    ]
    await activate(world, b, true)
    await world.asAdmin(addGroupDevices, { groupID: top, list: [a, b, b] })
    await world.asAdmin(addGroupDevices, { groupID: top, list: [a] })
    await world.asAdmin(addGroupDevices, { groupID: leaf, list: [b, c] })
    expect(await read(top)).toMatchObject({ deviceCount: 2, totalCount: 3, onlineCount: 1 })
    expect(await read(leaf)).toMatchObject({ deviceCount: 2, totalCount: 2, onlineCount: 1 })
    const { listAll } = await world.asAdmin(listGroups, {})
    for (const groupID of [top, leaf]) {
      expect(listAll.find((group) => group.groupID === String(groupID))).toEqual(await read(groupID))
    }
    const own = await world.asAdmin(listGroupDevices, { groupID: top })
    expect([own.total, keys(own.list)]).toEqual([2, keys([a, b])])
    const withBelow = await world.asAdmin(listGroupDevices, { groupID: top, includeChildren: true })
    expect([withBelow.total, keys(withBelow.list)]).toEqual([3, keys([a, b, c])])
    expect(new Set(withBelow.list.map(({ secret }) => secret)).size).toBe(3)
    const named = await world.asAdmin(listGroupDevices, { groupID: top, deviceName: b.deviceName, productID })
    expect(keys(named.list)).toEqual([b.deviceName])
    await world.asAdmin(removeGroupDevices, { groupID: top, list: [b, c] })
    expect(keys((await world.asAdmin(listGroupDevices, { groupID: top })).list)).toEqual([a.deviceName])
    expect((await read(leaf)).deviceCount).toBe(2)
  })

  test('unknown devices are named and nothing happens: 100009', async () => {
    const groupID = await makeGroup()
    const list = [await makeDevice(world, productID), { productID, deviceName: 'ghost' }]
    for (const endpoint of [addGroupDevices, removeGroupDevices]) {
      const refused = await world.call(endpoint, { groupID, list }, asAdmin())
      expect(refused).toMatchObject({ status: 400, code: 100009, msg: expect.stringContaining('ghost') })
    }
    expect((await read(groupID)).deviceCount).toBe(0)
  })

  test('ten thousand at once', async () => {
    const product = await makeProduct(world)
    const list = Array.from({ length: 10_000 }, (_, n) => ({ productID: product, deviceName: `n${n}` }))
    const rows = list.map(({ deviceName }) => ({ product_id: product, device_name: deviceName, secret: 's' as Sealed }))
    for (let at = 0; at < rows.length; at += 2_000) {
      await world.db
        .insertInto('device')
        .values(rows.slice(at, at + 2_000))
        .execute()
    }
    const groupID = await makeGroup()
    await world.asAdmin(addGroupDevices, { groupID, list })
    expect((await read(groupID)).deviceCount).toBe(10_000)
    await world.asAdmin(removeGroupDevices, { groupID, list })
    expect((await read(groupID)).deviceCount).toBe(0)
  })

  test('a list of 10,001 is refused with 100006, an unknown group with 100009', async () => {
    const list = Array.from({ length: 10_001 }, (_, n) => ({ productID, deviceName: `n${n}` }))
    const groupID = await makeGroup()
    expect(await world.call(addGroupDevices, { groupID, list }, asAdmin())).toMatchObject({ code: 100006 })
    const known = [await makeDevice(world, productID)]
    for (const endpoint of [addGroupDevices, removeGroupDevices]) {
      expect(await world.call(endpoint, { groupID: 999_999, list: known }, asAdmin())).toMatchObject({ code: 100009 })
    }
    expect(await world.call(listGroupDevices, { groupID: 999_999 }, asAdmin())).toMatchObject({ code: 100009 })
  })

  test('the groups of a device, with the time it joined', async () => {
    const device = await makeDevice(world, productID)
    expect(await world.asAdmin(listGroupsOfDevice, device)).toEqual({ list: [] })
    const groupID = await makeGroup(await makeGroup())
    await world.asAdmin(addGroupDevices, { groupID, list: [device] })
    const { list } = await world.asAdmin(listGroupsOfDevice, device)
    expect(list).toMatchObject([
      { groupID: String(groupID), deviceCount: 1, joinedTime: expect.stringMatching(/^\d{10}$/) },
    ])
    expect(await world.call(listGroupsOfDevice, { productID, deviceName: 'ghost' }, asAdmin())).toMatchObject({
      code: 100009,
    })
  })

  test('a deleted device leaves its groups', async () => {
    const device = await makeDevice(world, productID)
    const groupID = await makeGroup()
    await world.asAdmin(addGroupDevices, { groupID, list: [device] })
    await world.asAdmin(deleteDevice, device)
    expect(await read(groupID)).toMatchObject({ deviceCount: 0, totalCount: 0 })
  })
})

describe('delete', () => {
  test('the groups below go too, the devices stay', async () => {
    const top = await makeGroup()
    const leaf = await makeGroup(await makeGroup(top))
    const device = await makeDevice(world, productID)
    await world.asAdmin(addGroupDevices, { groupID: leaf, list: [device] })
    await world.asAdmin(deleteGroup, { groupID: top })
    for (const groupID of [top, leaf]) {
      expect(await world.call(readGroup, { groupID }, asAdmin())).toMatchObject({ status: 400, code: 100009 })
    }
    expect(await world.asAdmin(listGroupsOfDevice, device)).toEqual({ list: [] })
    expect(await world.call(deleteGroup, { groupID: top }, asAdmin())).toMatchObject({ status: 400, code: 100009 })
  })
})

describe('list', () => {
  let top: number
  const names = (list: Array<{ groupName: string }>) => list.map((group) => group.groupName)

  beforeAll(async () => {
    top = await makeGroup(undefined, '列表顶')
    await makeGroup(top, '列表B')
    const a = await makeGroup(top, '列表A')
    await makeGroup(a, '列表C')
    await world.asAdmin(updateGroup, { groupID: a, productID, tags: [{ key: 'kind', value: 'list' }] })
    await world.asAdmin(addGroupDevices, { groupID: a, list: [await makeDevice(world, productID)] })
  })

  test('children of a parent, or the whole tree; listAll is always everything', async () => {
    const children = await world.asAdmin(listGroups, { parentID: top })
    expect([names(children.list), children.total]).toEqual([['列表B', '列表A'], 2])
    const { groups } = await world.db
      .selectFrom('device_group')
      .select(({ fn }) => fn.countAll<number>().as('groups'))
      .executeTakeFirstOrThrow()
    expect(children.listAll).toHaveLength(groups)
    expect(children.listAll.find((group) => group.groupName === '列表顶')).toMatchObject({
      deviceCount: 0,
      totalCount: 1,
    })
    expect((await world.asAdmin(listGroups, {})).total).toBe(groups)
    const roots = await world.asAdmin(listGroups, { parentID: '1' })
    expect(roots.list.every((group) => group.parentID === '1')).toBe(true)
  })

  test.each<[object, string[]]>([
    [{ groupName: '列表' }, ['列表顶', '列表B', '列表A', '列表C']],
    [{ groupName: '列表a' }, ['列表A']],
    [{ tags: [{ key: 'kind', value: 'list' }] }, ['列表A']],
    [{ tags: [{ key: 'kind', value: 'other' }] }, []],
    [{ parentID: '', groupName: '列表C' }, ['列表C']],
  ])('%j finds %j', async (filter, expected) => {
    const { list, total } = (await world.call(listGroups, filter, asAdmin())).data
    expect([names(list), total]).toEqual([expected, expected.length])
  })

  test('sorted by name, time and number of devices, and paged', async () => {
    const sorted = async (field: string, sort: number) =>
      names((await world.asAdmin(listGroups, { groupName: '列表', page: { orders: [{ field, sort }] } })).list)
    expect(await sorted('groupName', 1)).toEqual(['列表A', '列表B', '列表C', '列表顶'])
    expect(await sorted('groupName', 2)).toEqual(['列表顶', '列表C', '列表B', '列表A'])
    expect((await sorted('deviceCount', 2))[0]).toBe('列表A')
    expect((await sorted('createdTime', 2))[0]).toBe('列表C')
    const page = await world.asAdmin(listGroups, { groupName: '列表', page: { page: 2, size: 3 } })
    expect([names(page.list), page.total]).toEqual([['列表C'], 4])
    const refused = await world.call(listGroups, { page: { orders: [{ field: 'desc' }] } }, asAdmin())
    expect(refused).toMatchObject({ status: 400, code: 100006 })
  })

  test('names sort in English as people count and spell, in Chinese as they always did', async () => {
    for (const groupName of ['Hall 10', 'hall 9', 'Hall 1', 'Área Hall']) await makeGroup(undefined, groupName)
    const sorted = async (headers: Record<string, string>) => {
      const page = { orders: [{ field: 'groupName' as const, sort: 1 as const }] }
      const { data } = await world.call(listGroups, { groupName: 'hall', page }, { token: world.admin, headers })
      return names(data.list)
    }
    expect(await sorted({ 'accept-language': 'en' })).toEqual(['Área Hall', 'Hall 1', 'hall 9', 'Hall 10'])
    expect(await sorted({})).toEqual(['Hall 1', 'Hall 10', 'hall 9', 'Área Hall'])
  })
})
