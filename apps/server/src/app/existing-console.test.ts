/** The public iThings console against this server: its calls as it sends them, and what its pages read of the answers. */
import { createHash } from 'node:crypto'
import { allEndpoints } from '@ithings/contract/all-endpoints.ts'
import { createScene, triggerScene } from '@ithings/contract/features/scenes/info.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { png, sendForm } from '#features/files/testing/send-form.ts'
import { calls, type ExistingConsole, openExistingConsole, type Read } from '#testing/existing-console.ts'
import { connectDevice } from '#testing/mqtt-device.ts'
import { makeRole, makeSignedIn, uniqueText } from '#testing/people.ts'
import { adminName, adminPassword } from '#testing/test-config.ts'
import { openWorld, type World } from '#testing/world.ts'

let world: World
let old: ExistingConsole
beforeAll(async () => {
  world = await openWorld()
  old = openExistingConsole(world)
})
afterAll(() => world.close())

const json = JSON.stringify
const digits = expect.stringMatching(/^\d+$/)
const number = expect.any(Number)
const text = expect.any(String)

async function newProduct(deviceType = 1) {
  const productID = `C${uniqueText('').padStart(10, '0')}`
  const name = uniqueText('老产品')
  await old.send('create product', { productID, name, deviceType })
  return { productID, name }
}
async function newDevices(productID: string, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, () => uniqueText('old-'))
  for (const deviceName of names) await old.send('create device', { productID, deviceName })
  return names
}
/** One row is ticked in a table whose rows are told apart by `secret`; the rest of it is sent. */
function tick(list: Read[], deviceName: string): string {
  const ticked = list.find((row) => row.deviceName === deviceName)
  const chosen = new Map(list.map((row) => [row.secret, row])).get(ticked.secret)
  return json([{ productID: chosen.productID, deviceName: chosen.deviceName }])
}

test('all calls of its pages are known here, and answered by paths of the contract', () => {
  const paths = new Set([...calls.values()].map(({ url }) => url.replace(/\?.*/, '')))
  const beyond = ['/api/v1/things/ota/firmware/create', '/api/v1/things/ota/firmware/update']
  const ours = new Set([...paths, '/api/v1/system/common/upload-file'])
  for (const path of [...beyond, '/api/v1/things/device/interact/action-read']) ours.delete(path)
  expect(ours.size).toBe(86)
  expect([...paths].filter((path) => !allEndpoints.some((endpoint) => endpoint.path === path))).toEqual([])
})

describe('start', () => {
  test('any code signs in where captchas are off; token and user ID are what it keeps', async () => {
    const { codeID, url } = await old.send('captcha')
    expect(url).toMatch(/^data:image\//)
    const md5 = createHash('md5').update(adminPassword).digest('hex')
    const guest = openExistingConsole(world, '')
    const { token, info } = await guest.send('login', { account: adminName, md5, code: '0000', codeID })
    expect(info).toMatchObject({ userID: digits, role: 1 })
    guest.token = token.accessToken
    expect((await guest.send('resource-read')).info.userID).toBe(info.userID)
    expect(await guest.send('config')).toMatchObject({ map: { mode: text, accessKey: text }, oss: { host: text } })
  })

  /** Consoles since September 2023: type 1 is a page or a group of them, 2 a frame, 3 a link; both of an address. */
  function routesOf(menu: Read[]): string[] {
    const sorted = [...menu].sort((a, b) => a.order - b.order)
    const childrenOf = (parentID: number) => sorted.filter((entry) => entry.parentID === parentID)
    const place = (entry: Read): string[] => {
      expect(entry).toMatchObject({ type: 1, name: text, icon: text, hideInMenu: number })
      if (entry.redirect) expect(sorted.map(({ path }) => path)).toContain(entry.redirect)
      const below = childrenOf(entry.id)
      if (below.length === 0) expect(entry.component).toMatch(/^\.(\/[A-Za-z]+)+\/index(\.tsx)?$/)
      // A group leads to its first entry.
      if (below.length > 0) expect(below[0]).toMatchObject({ hideInMenu: 2, path: expect.not.stringContaining(':') })
      return [entry.path, ...below.flatMap(place)]
    }
    return childrenOf(1).flatMap(place)
  }

  test('every entry of the menu is a page of it, found by its component', async () => {
    const { menu } = await old.send('resource-read')
    const routes = routesOf(menu)
    expect(routes).toHaveLength(menu.length)
    expect(routes).toEqual(
      expect.arrayContaining([
        '/systemMangers/user/index',
        '/deviceMangers/device/detail/:id/:name/:type',
        '/alarmMangers/alarmConfiguration/save',
        '/alarmMangers/alarmConfiguration/log/detail/:id/:level',
        '/ruleEngine/scene/detail',
      ]),
    )
  })

  test('nobody is led to a page that his role has not', async () => {
    const { list } = await old.send('menus')
    const roleID = await makeRole(world)
    const menuID = list.find(({ path }: Read) => path === '/systemMangers/role/index').id
    await old.send('menus of a role', { roleID, menuID })
    const { token } = await makeSignedIn(world, { role: roleID })
    const { menu } = await openExistingConsole(world, token).send('resource-read')
    expect(routesOf(menu)).toEqual(['/systemMangers', '/systemMangers/role/index'])
  })

  test('frames and links that somebody made keep their kind; what only grants a right is no entry', async () => {
    const { list } = await old.send('menus')
    const parentID = list.find(({ path }: Read) => path === '/systemMangers').id
    const made = await Promise.all(
      [
        { type: 2, component: 'https://video.example/wall' },
        { type: 3, component: 'https://help.example' },
        { type: 3, component: '' },
      ].map(async (fields) => {
        const path = uniqueText('/systemMangers/made')
        await world.db
          .insertInto('menu')
          .values({ parent_id: parentID, name: path, path, ...fields })
          .execute()
        return path
      }),
    )
    const { menu } = await old.send('resource-read')
    const typeOf = (path?: string) => menu.find((entry: Read) => entry.path === path)?.type
    expect(made.map(typeOf)).toEqual([2, 3, undefined])
    await world.db.deleteFrom('menu').where('path', 'in', made).execute()
  })
})

test('system pages: users, roles, menus, APIs and logs', async () => {
  const name = uniqueText('老角色')
  await old.send('create role', { name })
  const roles = (await old.send('roles')).list
  expect(roles).toContainEqual(expect.objectContaining({ name, remark: '值班', createdTime: number }))
  const roleID = roles.find((role: Read) => role.name === name).id
  await old.send('update role', { roleID, name })
  expect((await old.send('roles to choose')).list).toContainEqual(expect.objectContaining({ id: roleID, name }))

  const route = uniqueText('/api/v1/outside')
  await old.send('create api', { route })
  expect((await old.send('apis')).list[0]).toMatchObject({
    id: number,
    route: text,
    method: number,
    businessType: number,
  })
  const all = (await old.send('all apis')).list
  const { id } = all.find((api: Read) => api.route === route)
  await old.send('update api', { route, id })
  expect((await old.send('all apis')).list.find((api: Read) => api.id === id)).toMatchObject({
    name: '外部接口二',
    businessType: 4,
  })
  expect((await old.send('apis of no role')).list).toEqual([])
  await old.send('save apis of a role', { roleID, route })
  expect((await old.send('apis of a role', { roleID })).list).toEqual([{ route, method: 2 }])
  await old.send('delete api', { id })

  const userName = uniqueText('olduser')
  await old.send('create user', { userName, roleID })
  const user = (await old.send('users')).list.find((one: Read) => one.userName === userName)
  expect(user).toMatchObject({ userID: digits, nickName: '值班', phone: text, email: text, lastIP: text, role: roleID })
  await old.send('update user', { userName, roleID, userID: user.userID })
  await old.send('delete user', { userID: user.userID })
  await old.send('delete role', { roleID })

  const { list: menus } = await old.send('menus')
  const parentID = menus.find((menu: Read) => menu.path === '/systemMangers').id
  const path = uniqueText('/systemMangers/old')
  await old.send('create menu', { parentID, name: path, path })
  const menu = (await old.send('menus')).list.find((one: Read) => one.path === path)
  expect(menu).toMatchObject({ parentID, component: './deviceMangers/extra/index.tsx', createTime: number })
  await old.send('update menu', { parentID, name: path, path, id: menu.id })
  await old.send('delete menu', { id: menu.id })

  await world.signIn(adminName, adminPassword)
  const logins = await old.send('login log')
  expect(logins).toMatchObject({ list: expect.anything(), total: number })
  expect(logins.list[0]).toMatchObject({ userID: digits, userName: text, code: digits, msg: text, createdTime: digits })
  await expect
    .poll(async () => (await old.send('operation log')).list[0])
    .toMatchObject({
      userID: digits,
      operName: text,
      businessType: '1',
      code: digits,
      req: text,
      resp: text,
      createdTime: digits,
    })
})

test('product pages: what is sent for a picture, a model, a configuration and a script', async () => {
  const { productID, name } = await newProduct()
  expect((await old.send('products')).list).toContainEqual(
    expect.objectContaining({ productID, productName: name, deviceType: 1, createdTime: digits }),
  )
  const uploaded = await sendForm(world, [
    { name: 'business', value: 'productManage' },
    { name: 'scene', value: 'productImg' },
    { name: 'filePath', value: '123/pump.png' },
    { name: 'file', fileName: 'pump.png', content: png },
  ])
  await old.send('update product', { productID, name, filePath: uploaded.data.filePath })
  const { productImg } = await old.send('read product', { productID })
  expect(productImg).not.toBe('')
  await old.send('update product untouched', { productID, name })
  const product = await old.send('read product', { productID })
  expect(product).toMatchObject({ devStatus: number, isUpdateProductImg: false, desc: '泵房', autoRegister: 2 })
  expect(product.productImg.replace(/\?.*/, '')).toBe(productImg.replace(/\?.*/, ''))

  for (const kind of ['property', 'event', 'action']) await old.send(`create ${kind}`, { productID })
  await old.send('update function', { productID })
  const { list } = await old.send('functions', { productID })
  expect(list.map((row: Read) => [row.type, row.identifier, row.name])).toEqual([
    [1, 'speed', '转速二'],
    [2, 'leak', '泄漏'],
    [3, 'flush', '冲洗'],
  ])
  // 查看 walks through the members and parameters of each.
  for (const { affordance } of list) expect(JSON.parse(affordance).define.specs).toEqual([])
  expect(JSON.parse(list[1].affordance).params[0].define).toMatchObject({ type: 'int', max: '9' })
  expect(JSON.parse(list[2].affordance).input[0].define).toMatchObject({ type: 'int', start: '1' })
  await old.send('delete function', { row: json(list[0]) })
  await old.send('import model', { productID })
  expect(JSON.parse((await old.send('read model', { productID })).tsl).properties).toHaveLength(4)

  expect(await old.send('configuration', { productID })).toMatchObject({ id: 0, content: '', createTime: '0' })
  await old.send('save configuration', { productID })
  const saved = { id: number, content: '{\n    "interval": 5\n}', createTime: digits }
  expect(await old.send('configuration', { productID })).toMatchObject(saved)
  expect((await old.send('configurations', { productID })).list).toMatchObject([saved])
  await old.send('push configuration', { productID })
  expect(await old.send('script', { productID })).toMatchObject({ transformScript: text })
  await old.send('save script', { productID })
  expect((await old.send('script', { productID })).transformScript).toContain('extCustomUp')

  const [deviceName = ''] = await newDevices(productID, 1)
  await old.send('delete device', { productID, deviceName })
  await old.send('delete product', { productID })
})

describe('device pages', () => {
  test('the row that is ticked is the one that is bound, unbound, grouped and taken out', async () => {
    const gateway = await newProduct(2)
    const child = await newProduct(3)
    const [gateWaydeviceName = ''] = await newDevices(gateway.productID, 1)
    const names = await newDevices(child.productID, 3)
    const second = names[1] as string
    const at = { gateWayProductID: gateway.productID, gateWaydeviceName }
    expect((await old.send('products of sub-devices')).list).toContainEqual(
      expect.objectContaining({ productID: child.productID, productName: child.name }),
    )
    const { list: bindable } = await old.send('devices to bind', { productID: child.productID })
    expect(new Set(bindable.map((row: Read) => row.secret)).size).toBe(3)
    for (const name of names) await old.send('bind', { ...at, list: tick(bindable, name) })
    const { list: children, total } = await old.send('children', at)
    expect(total).toBe(3)
    await old.send('unbind', { ...at, list: tick(children, second) })
    const left = (await old.send('children', at)).list.map((row: Read) => row.deviceName)
    expect(left.toSorted()).toEqual(names.filter((name) => name !== second).toSorted())

    const name = uniqueText('老分组')
    await old.send('create group', { name })
    const { groupID } = (await old.send('the group just made', { name })).list[0]
    await old.send('update group', { name, groupID })
    expect(await old.send('read group', { groupID })).toMatchObject({ groupID, parentID: '1', desc: '二楼' })
    const groups = await old.send('groups')
    expect(groups.listAll).toContainEqual(expect.objectContaining({ groupID, groupName: name, parentID: '1' }))
    const { list: free } = await old.send('devices to group', { groupID })
    for (const one of names) await old.send('add to group', { groupID, list: tick(free, one) })
    const { list: grouped } = await old.send('devices of group', { groupID })
    expect(grouped.map((row: Read) => row.deviceName).toSorted()).toEqual(names.toSorted())
    await old.send('take from group', { groupID, list: tick(grouped, second) })
    const stay = (await old.send('devices of group', { groupID })).list.map((row: Read) => row.deviceName)
    expect(stay.toSorted()).toEqual(names.filter((one) => one !== second).toSorted())
    await old.send('delete group', { groupID })
  })

  test('list, detail, tags, log level, counts and import', async () => {
    const { productID, name: productName } = await newProduct()
    const [deviceName = ''] = await newDevices(productID, 1)
    const key = { productID, deviceName }
    const { list } = await old.send('devices')
    expect(new Set(list.map((row: Read) => row.secret)).size).toBe(list.length)
    const inactive = { isOnline: 2, firstLogin: '0', lastLogin: digits, createdTime: digits, version: text }
    const position = { longitude: number, latitude: number }
    const row = list.find((one: Read) => one.deviceName === deviceName)
    expect(row).toMatchObject({ ...inactive, position, address: text, deviceAlias: text })
    await old.send('update tags of device', key)
    await old.send('update log level of device', key)
    const device = await old.send('read device', key)
    expect(device).toMatchObject({
      ...inactive,
      logLevel: 5,
      tags: [{ key: '楼层', value: '3' }],
      imei: text,
      mac: text,
    })
    expect(device.secret).not.toBe('')
    const four = { online: number, offline: number, inactive: number, unknown: number }
    expect(await old.send('count devices')).toMatchObject({
      deviceCount: four,
      deviceTypeCount: { device: number, gateway: number, subset: number, unknown: number },
    })
    const imported = uniqueText('imported-')
    const { total, headers, errdata } = await old.send('import devices', { productName, deviceName: imported })
    expect({ total, errdata }).toMatchObject({ total: 2, errdata: [{ row: number, deviceName: 'x', tips: text }] })
    expect(headers).toMatchObject({ productName: text, deviceName: text, tips: text })
    expect(await old.send('read device', { productID, deviceName: imported })).toMatchObject({ isOnline: 2 })
    expect((await old.send('products to choose')).list).toContainEqual(expect.objectContaining({ productID }))
  })

  test('a device that is there: values, histories, logs, control and calls', async () => {
    const { productID } = await newProduct()
    await old.send('import model', { productID })
    const [deviceName = ''] = await newDevices(productID, 1)
    const key = { productID, deviceName }
    const device = await connectDevice(world, key)
    await device.ask('thing/property', {
      method: 'report',
      params: { power: 1, level: 40, flow: 1.5, gear: 2 },
    })
    await device.ask('thing/event', {
      method: 'eventPost',
      eventID: 'leak',
      type: 'alert',
      params: { amount: 3 },
    })
    await device.publish('log/report', { params: [{ timestamp: world.clock.now(), logLevel: 2, content: '泵堵' }] })

    const range = { timeStart: world.clock.now() - 3_600_000, timeEnd: world.clock.now() + 3_600_000 }
    const values = async () =>
      new Map((await old.send('latest', key)).list.map((row: Read) => [row.dataID, row.value])) as Map<string, string>
    await expect.poll(values).toEqual(new Map(Object.entries({ power: 'true', level: '40', flow: '1.5', gear: '2' })))
    expect((await old.send('properties', { productID })).list).toHaveLength(4)
    const point = { dataID: 'level', value: '40', timestamp: digits }
    expect((await old.send('history', { ...key, ...range })).list).toMatchObject([point])
    const filled = (await old.send('history of a product', { ...key, ...range })).list
    expect(filled.map((row: Read) => row.value)).toContain('40')
    const event = { dataID: 'leak', type: 'alert', params: '{"amount":3}', timestamp: digits }
    expect((await old.send('events', { ...key, ...range })).list).toMatchObject([event])
    expect((await old.send('events of a product', { ...key, ...range })).list).toMatchObject([event])
    await expect
      .poll(async () => (await old.send('local log', { ...key, ...range })).list)
      .toMatchObject([{ loglevel: 2, content: '泵堵', timestamp: digits }])
    const { list: hub } = await old.send('cloud log', { ...key, ...range })
    expect(hub.length).toBeGreaterThan(2)
    expect(new Set(hub.map((row: Read) => row.tranceID)).size).toBe(hub.length)
    for (const row of hub)
      expect(row).toMatchObject({ action: text, content: text, requestID: text, resultType: digits })

    // 控制 without touching the field sends the text that was read; a switch sends 0 and 1.
    for (const [sent, heard] of [
      [{ level: '40' }, { level: 40 }],
      [{ power: 'true' }, { power: true }],
      [{ power: 0 }, { power: false }],
      [{ flow: '1.5' }, { flow: 1.5 }],
      [{ gear: '2' }, { gear: 2 }],
    ]) {
      const controlled = old.send('control', { ...key, data: json(json(sent)) })
      const control = device.next('thing/property', ({ method }) => method === 'control')
      const { clientToken, params } = await Promise.race([control, controlled.then(() => control)])
      expect(params).toEqual(heard)
      await device.publish('thing/property', { method: 'controlReply', clientToken, code: 200, status: 'ok' })
      expect(await controlled).toMatchObject({ clientToken, code: number, status: text })
    }
    const answer = async () => {
      const { clientToken } = await device.next('thing/action', ({ method }) => method === 'action')
      return () => device.publish('thing/action', { method: 'actionReply', clientToken, code: 200, status: 'ok' })
    }
    const called = old.send('call', key)
    await (await answer())()
    // 输出参数 lists the keys of what it parses.
    expect(JSON.parse((await called).outputParams)).toEqual({})
    const { clientToken } = await old.send('call without waiting', key)
    const reply = await answer()
    expect(await old.send('ask for the reply', { ...key, clientToken })).toMatchObject({ clientToken, code: 0 })
    await reply()
    await expect
      .poll(async () => await old.send('ask for the reply', { ...key, clientToken }))
      .toMatchObject({ clientToken, outputParams: '{}', status: 'ok' })
    await old.send('send message', key)
    await device.next('thing/property', ({ clientToken }) => clientToken === 'debug-1')
    await device.end()

    await expect.poll(async () => (await old.send('read device', key)).isOnline).toBe(2)
    await old.send('control', { ...key, data: json(json({ level: 7 })) })
    expect((await old.send('shadow', key)).list).toMatchObject([{ dataID: 'level', value: '7', updatedDeviceTime: 0 }])
  })
})

describe('rules', () => {
  test('a disabled timer that is saved untouched keeps its conditions and actions; enabled ones are deleted', async () => {
    const { productID } = await newProduct()
    await old.send('import model', { productID })
    const [deviceName = ''] = await newDevices(productID, 1)
    const name = uniqueText('老场景')
    const { id } = await old.send('create scene', { productID, deviceName, name })
    const before = await old.send('read scene', { id })
    expect(JSON.parse(before.trigger).timer.cron).toBe('0 0 8 * * *')
    expect(JSON.parse(before.when)[0].columnSchema).toMatchObject({ dataID: ['level'], values: '30', productID })
    expect(JSON.parse(before.then)[0].delay).toEqual({ time: 5, unit: 'seconds' })
    await old.send('update scene untouched', { id, name })
    const after = await old.send('read scene', { id })
    for (const part of ['trigger', 'when', 'then', 'desc', 'status', 'name']) expect(after[part]).toBe(before[part])

    const row = (await old.send('scenes')).list.find((scene: Read) => scene.id === id)
    await old.send('toggle scene', { row: json({ ...row, status: row.status === 1 ? 2 : 1 }) })
    expect((await old.send('enabled scenes')).list.map((scene: Read) => scene.id)).toContain(id)
    await old.send('delete scene', { id })
    expect((await old.send('scenes')).list.map((scene: Read) => scene.id)).not.toContain(id)
  })

  test('alarms: made, switched, linked, raised, handled and deleted while enabled', async () => {
    const name = uniqueText('老告警')
    const { id } = await old.send('create alarm', { name })
    expect(await old.send('read alarm', { id })).toMatchObject({ name, level: 4, desc: '泵房', state: 2, status: 2 })
    await old.send('update alarm', { id, name })
    const find = async () => (await old.send('alarms')).list.find((alarm: Read) => alarm.id === id)
    expect(await find()).toMatchObject({ name, level: 5, state: 2 })
    await old.send('toggle alarm', { row: json({ ...(await find()), state: 1 }) })
    expect(await find()).toMatchObject({ state: 1, status: 1 })

    const then = json([{ executor: 'alarm', alarm: { mode: 'trigger' } }])
    const scene = { name: uniqueText('触发'), triggerType: 'manual', trigger: '{}', then } as const
    const { id: sceneID } = await world.asAdmin(createScene, scene)
    await old.send('link scenes', { alarmID: id, sceneID })
    expect((await old.send('scenes of alarm', { alarmID: id })).list).toMatchObject([{ id: sceneID, status: 1 }])
    await world.asAdmin(triggerScene, { id: sceneID })
    const mine = async () => (await old.send('records')).list.find((one: Read) => one.alarmID === id)
    await expect.poll(async () => await mine()).toMatchObject({ level: 5, dealState: 2, sceneName: scene.name })
    const record = await mine()
    // The card gives the number to moment(), which takes it for milliseconds.
    expect(record).toMatchObject({ id: number, triggerType: number, deviceName: text })
    expect(record.lastAlarm).toBeGreaterThan(1e12)
    expect((await old.send('names of alarms', { alarmID: id })).list).toMatchObject([{ id, name }])
    const of = { recordID: record.id }
    const [line] = (await old.send('log of record', of)).list
    expect(line).toMatchObject({ id: number, desc: text, serial: text })
    expect(line.createdTime).toBeGreaterThan(1e12)
    JSON.parse(line.serial || '{}')
    await old.send('handle record', of)
    expect((await old.send('handled', of)).list).toMatchObject([
      { result: '已修复', type: 1, alarmTime: number, createdTime: number },
    ])
    await old.send('unlink scene', { alarmID: id, sceneID })
    await old.send('delete alarm', { id })
    expect(await find()).toBeUndefined()
  })
})

test('firmware takes desc and extData as the objects that its services declare', async () => {
  const { productID } = await newProduct()
  const { data } = await sendForm(world, [
    { name: 'business', value: 'productManage' },
    { name: 'scene', value: 'ota' },
    { name: 'filePath', value: '123/fw.bin' },
    { name: 'file', fileName: 'fw.bin', content: Buffer.from('firmware') },
  ])
  const name = uniqueText('固件')
  const { firmwareID } = await old.send('create firmware', { productID, name, filePath: data.filePath })
  await old.send('update firmware', { firmwareID, name })
})
