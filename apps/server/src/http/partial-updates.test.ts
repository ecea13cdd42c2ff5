/**
 * What an update does not name stays as it is. Every endpoint of the contract that updates one thing is tried on a thing
 * whose every field is set, with nothing but what the contract demands.
 */
import { allEndpoints } from '@ithings/contract/all-endpoints.ts'
import type { Endpoint } from '@ithings/contract/endpoint.ts'
import { createAlarm, readAlarm, updateAlarm } from '@ithings/contract/features/alarms/config.ts'
import { createOwnKey, listKeys, updateKey, updateOwnKey } from '@ithings/contract/features/api-keys.ts'
import { createApi, listApis, updateApi } from '@ithings/contract/features/apis.ts'
import { multiUpdateDevices } from '@ithings/contract/features/devices/bulk.ts'
import { readDevice, updateDevice } from '@ithings/contract/features/devices/info.ts'
import { createForward, readForward, updateForward } from '@ithings/contract/features/forwarding/rules.ts'
import { createGroup, readGroup, updateGroup } from '@ithings/contract/features/groups.ts'
import { createMenu, listMenus, updateMenu } from '@ithings/contract/features/menus.ts'
import { createChannel, readChannel, updateChannel } from '@ithings/contract/features/notify.ts'
import { readFirmware, updateFirmware } from '@ithings/contract/features/ota/firmware.ts'
import { readProduct, updateProduct } from '@ithings/contract/features/products.ts'
import { createReport, readReport, updateReport } from '@ithings/contract/features/reports.ts'
import { createRole, listRoles, updateRole } from '@ithings/contract/features/roles.ts'
import { createScene, readScene, updateScene } from '@ithings/contract/features/scenes/info.ts'
import { readCustom, saveDraft, updateCustom } from '@ithings/contract/features/scripts.ts'
import { readSettings, updateSettings } from '@ithings/contract/features/settings.ts'
import { createProvider, readProvider, updateProvider } from '@ithings/contract/features/sign-on.ts'
import { createTask, readTask, updateTask } from '@ithings/contract/features/tasks.ts'
import { createSchema, listSchema, updateSchema } from '@ithings/contract/features/thing-model.ts'
import { readUser, updateSelf, updateUser } from '@ithings/contract/features/users.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { makeDevice, makeProduct } from '#features/devices/testing/make-devices.ts'
import { addFirmware } from '#features/ota/testing/ota-room.ts'
import { makeUser } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'

let world: World
let productID = ''
beforeAll(async () => {
  world = await openWorld()
  productID = await makeProduct(world, { desc: '说明', tags: [{ key: 'k', value: 'v' }], valueDays: 20, netType: 3 })
  await world.asAdmin(createSchema, {
    productID,
    type: 1,
    identifier: 'speed',
    name: '转速',
    desc: '每分钟',
    required: 1,
    affordance: JSON.stringify({ define: { type: 'int', min: '0', max: '100', start: '0', step: '1' }, mode: 'rw' }),
  })
})
afterAll(() => world.close())

/** A thing that is updated: what is sent, and how it is read before and after. */
interface Thing {
  body: Record<string, unknown>
  read: () => Promise<unknown>
}
const named = <T extends object>(list: readonly T[], field: keyof T, value: unknown) =>
  list.find((one) => one[field] === value)
const phone = { nickName: '值班员', email: 'duty@example.com', phone: '13800000000', sex: 1 }

async function makeKey(): Promise<Thing> {
  const limits = { productID, addresses: ['127.0.0.1'], perMinute: 5, expiresTime: 4_000_000_000 }
  const { id } = await world.asAdmin(createOwnKey, { name: '同步', apis: [listApis.path], ...limits })
  return { body: { id }, read: async () => named((await world.asAdmin(listKeys, {})).list, 'id', id) }
}

const things = new Map<Endpoint, () => Promise<Thing>>([
  [
    updateAlarm,
    async () => {
      const notify = { slaMinutes: 30, title: '标题', renotifyMinutes: 5 }
      const { id } = await world.asAdmin(createAlarm, { name: '过热', level: 4, desc: '说明', status: 2, notify })
      return { body: { id }, read: () => world.asAdmin(readAlarm, { id }) }
    },
  ],
  [
    updateApi,
    async () => {
      const body = { route: '/api/v1/own', method: 1, group: '自己的', name: '一个接口', businessType: 4 } as const
      await world.asAdmin(createApi, body)
      const find = async () => named((await world.asAdmin(listApis, { route: body.route })).list, 'route', body.route)
      return { body: { id: (await find())?.id }, read: find }
    },
  ],
  [
    updateReport,
    async () => {
      const of = {
        target: 1,
        productID,
        dataIDs: ['speed'],
        funcs: ['avg' as const],
        interval: 1,
        alarms: true,
        availability: false,
      }
      const when = { schedule: 3, time: '07:30', weekday: 3, monthDay: 9, timeZone: 'Asia/Shanghai', isEnable: 2 }
      const { id } = await world.asAdmin(createReport, { name: '月报', ...of, ...when, language: 'en', format: 'pdf' })
      return { body: { id }, read: () => world.asAdmin(readReport, { id }) }
    },
  ],
  [
    updateProvider,
    async () => {
      const { id } = await world.asAdmin(createProvider, {
        key: 'acme',
        name: '集团认证',
        nameEn: 'Acme ID',
        issuer: 'https://id.example.com',
        clientID: 'ithings',
        secret: 'hidden',
        scopes: 'openid groups',
        status: 2,
        userNameClaim: 'upn',
        nickNameClaim: 'given_name',
        emailClaim: 'mail',
        createUsers: false,
        defaultRole: 3,
        rules: [{ claim: 'groups', operator: 'equals', value: 'ops', roleID: 2 }],
        roleEachTime: false,
        factor: 'always',
        acrValues: 'gold',
        endSession: false,
      })
      return { body: { id }, read: () => world.asAdmin(readProvider, { id }) }
    },
  ],
  [
    updateForward,
    async () => {
      const { id } = await world.asAdmin(createForward, {
        name: '送到仓库',
        desc: '说明',
        // Nothing of it moves meanwhile.
        status: 2,
        sources: ['property', 'alarm'],
        filter: { productIDs: [productID], tags: [{ key: 'site', value: '' }], identifiers: ['speed'] },
        form: 'script',
        script: 'function forward(message) { return message }',
        target: { type: 'webhook', url: 'https://example.com/a', secret: 'hush', batch: 7 },
        lagSeconds: 60,
      })
      return { body: { id }, read: () => world.asAdmin(readForward, { id }) }
    },
  ],
  [updateKey, makeKey],
  [updateOwnKey, makeKey],
  [
    updateDevice,
    async () => {
      const fields = { deviceAlias: '一号', address: '城东', logLevel: 3, mobileOperator: 2, isEnable: 2 } as const
      const key = await makeDevice(world, productID, { ...fields, tags: [{ key: 'k', value: 'v' }] })
      return { body: key, read: () => world.asAdmin(readDevice, key) }
    },
  ],
  [
    multiUpdateDevices,
    async () => {
      const key = await makeDevice(world, productID, {
        deviceAlias: '二号',
        isEnable: 2,
        tags: [{ key: 'k', value: 'v' }],
      })
      return { body: { list: [key] }, read: () => world.asAdmin(readDevice, key) }
    },
  ],
  [
    updateGroup,
    async () => {
      const parent = await world.asAdmin(createGroup, { groupName: '厂区' })
      const fields = {
        groupName: '泵房',
        desc: '说明',
        parentID: Number(parent.groupID),
        tags: [{ key: 'k', value: 'v' }],
      }
      const { groupID } = await world.asAdmin(createGroup, { ...fields, productID })
      return { body: { groupID }, read: () => world.asAdmin(readGroup, { groupID: Number(groupID) }) }
    },
  ],
  [
    updateMenu,
    async () => {
      const parent = await world.asAdmin(createMenu, { name: '上级', path: '/up' })
      const fields = {
        name: '页面',
        path: '/up/page',
        component: 'x',
        icon: 'icon',
        redirect: '/r',
        hideInMenu: 1,
      } as const
      const { id } = await world.asAdmin(createMenu, { ...fields, type: 1, parentID: parent.id, order: 7 })
      const find = async () => named((await world.asAdmin(listMenus)).list, 'id', id)
      return { body: { id, name: '页面', parentID: parent.id, order: 7 }, read: find }
    },
  ],
  [
    updateChannel,
    async () => {
      const settings = { url: 'https://example.com/hook', secret: 'key', headers: [{ key: 'X-A', value: '1' }] }
      const { id } = await world.asAdmin(createChannel, {
        name: '值班群',
        type: 'webhook',
        status: 2,
        desc: '说明',
        settings,
      })
      return { body: { id }, read: () => world.asAdmin(readChannel, { id }) }
    },
  ],
  [
    updateFirmware,
    async () => {
      const firmwareID = await addFirmware(world, productID, { version: '1.2.0' })
      await world.asAdmin(updateFirmware, { firmwareID, name: '固件', desc: '说明', extData: '{"a":1}' })
      return { body: { firmwareID }, read: () => world.asAdmin(readFirmware, { firmwareID }) }
    },
  ],
  [
    updateCustom,
    async () => {
      const transformScript = 'function RawDataToProtocol(topic, bytes) { return {} }'
      await world.asAdmin(updateCustom, { productID, transformScript, scriptLang: 1, customTopic: ['a/b'] })
      await world.asAdmin(saveDraft, { productID, draft: '// draft', cases: [] })
      return { body: { productID }, read: () => world.asAdmin(readCustom, { productID }) }
    },
  ],
  [updateProduct, async () => ({ body: { productID }, read: () => world.asAdmin(readProduct, { productID }) })],
  [
    updateSchema,
    async () => {
      const find = async () => named((await world.asAdmin(listSchema, { productID })).list, 'identifier', 'speed')
      return { body: { productID, type: 1, identifier: 'speed' }, read: find }
    },
  ],
  [
    updateRole,
    async () => {
      const { id } = await world.asAdmin(createRole, { name: '巡检', remark: '说明', status: 2 })
      return { body: { id }, read: async () => named((await world.asAdmin(listRoles)).list, 'id', id) }
    },
  ],
  [
    updateScene,
    async () => {
      const { id } = await world.asAdmin(createScene, {
        name: '夜间巡检',
        desc: '说明',
        status: 2,
        triggerType: 'timer',
        trigger: JSON.stringify({ timer: { type: 'cron', cron: '0 0 22 * * *' } }),
        when: '',
        then: JSON.stringify([
          { executor: 'delay', delay: { time: 5, unit: 'seconds' } },
          {
            executor: 'notify',
            notify: { type: 'webhook', url: 'https://example.com/a', secret: 'key', title: '巡检' },
          },
        ]),
      })
      return { body: { id }, read: () => world.asAdmin(readScene, { id }) }
    },
  ],
  [
    updateSettings,
    async () => {
      await world.asAdmin(updateSettings, {
        title: '水务平台',
        loginLogDays: 40,
        operationLogDays: 50,
        timeZone: 'Asia/Tokyo',
      })
      return { body: {}, read: () => world.asAdmin(readSettings) }
    },
  ],
  [
    updateTask,
    async () => {
      const { deviceName } = await makeDevice(world, productID)
      const { taskID } = await world.asAdmin(createTask, {
        taskName: '限速',
        desc: '说明',
        taskType: 1,
        productID,
        targetType: 1,
        deviceNames: [deviceName],
        onlineOnly: true,
        data: '{"speed":5}',
        shadowControl: 1,
        scheduleType: 3,
        cron: '0 0 3 * * *',
        validStart: 1_000,
        validEnd: 9_000_000_000,
        timeout: 60,
        retryCount: 2,
        retryInterval: 90,
        rate: 30,
        failStop: 20,
      })
      return { body: { taskID }, read: () => world.asAdmin(readTask, { taskID }) }
    },
  ],
  [
    updateUser,
    async () => {
      const { userID } = await makeUser(world, phone as never)
      return { body: { userID }, read: () => world.asAdmin(readUser, { userID }) }
    },
  ],
  [
    updateSelf,
    async () => {
      await world.asAdmin(updateSelf, { nickName: '管理员', email: 'admin@example.com' })
      return { body: {}, read: () => world.asAdmin(readUser) }
    },
  ],
])

/** Sets and switches are sent whole: they have no field that could be left out. */
const demanded = ({ body }: Endpoint): string[] => {
  if (!(body instanceof z.ZodObject)) throw new Error('a body that is no object')
  return Object.entries(body.shape).flatMap(([name, field]) => (z.safeParse(field, undefined).success ? [] : [name]))
}
const updating = allEndpoints.filter(
  ({ path, body }) => /update$/.test(path) && body instanceof z.ZodObject && Object.keys(body.shape).length > 0,
)

test('every endpoint that updates some of a thing is tried here', () => {
  const partial = updating.filter((one) => demanded(one).length < Object.keys((one.body as z.ZodObject).shape).length)
  expect(partial.map(({ path }) => path).toSorted()).toEqual([...things.keys()].map(({ path }) => path).toSorted())
})

/** These change with every update, or with every second: the links of files expire. */
const moving = new Set(['rev', 'updatedTime', 'uri'])
const lasting = (thing: unknown): unknown =>
  JSON.parse(JSON.stringify(thing, (name, value) => (moving.has(name) ? undefined : value)))

test.each([...things])('$path', async (endpoint, make) => {
  const { body, read } = await make()
  const before = lasting(await read())
  // Nothing is sent that could be left out.
  const without = (name: string) => ({ ...body, [name]: undefined })
  expect(Object.keys(body).filter((name) => z.safeParse(endpoint.body, without(name)).success)).toEqual([])
  await world.asAdmin(endpoint, body)
  expect(lasting(await read())).toEqual(before)
})
