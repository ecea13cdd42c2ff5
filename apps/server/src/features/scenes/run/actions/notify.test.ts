import { RunResult } from '@ithings/contract/features/scenes/info.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { firingOf, openSceneRoom, type SceneRoom, steps } from '../../testing/scene-room.ts'

let room: SceneRoom
let channelID: number
beforeAll(async () => {
  room = await openSceneRoom()
  const row = await room.db
    .insertInto('notify_channel')
    .values({ name: '值班群', type: 'dingtalk', settings: JSON.stringify({ url: 'http://127.0.0.1:9/' }) })
    .returning('id')
    .executeTakeFirstOrThrow()
  channelID = row.id
})
afterAll(() => room.close())

const variable = (name: string) => `$\{${name}}`

async function told(texts: { title?: string; content?: string; url?: string }, firing: Parameters<typeof firingOf>[1]) {
  const id = await room.scene([steps.notify({ channelIDs: texts.url ? [] : [channelID], ...texts })])
  room.runner.fire(firingOf(id, firing))
  expect(await room.ended(id)).toMatchObject({ result: RunResult.success })
  const scene = await room.db.selectFrom('scene').select('name').where('id', '=', id).executeTakeFirstOrThrow()
  const delivery = await room.db
    .selectFrom('notify_delivery')
    .select(['title', 'content'])
    .where('source_name', '=', scene.name)
    .executeTakeFirstOrThrow()
  return { ...delivery, sceneName: scene.name }
}

test('a scene without words of its own says what was seen, on which device and when', async () => {
  const productID = await room.product()
  const device = await room.device(productID)
  const { title, content, sceneName } = await told({}, { device })
  expect(title).toBe(sceneName)
  const lines = content.split('\n')
  expect(lines.slice(0, 2)).toEqual(['触发：温度 > 80 ℃（实际 83.6 ℃）', `设备：${device.deviceName}`])
  expect(lines.at(-2)).toBe(`场景：${sceneName}`)
  expect(lines.at(-1)).toMatch(/^时间：\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
})

test('a scene that no device started names none', async () => {
  const { content, sceneName } = await told({}, { triggerText: '每天 08:00', seen: {} })
  expect(content).toMatch(/^触发：每天 08:00\n场景：/)
  expect(content).toContain(sceneName)
  expect(content).not.toContain('设备')
})

test('a receiver that the scene names itself reads the language that its last editor chose, else Chinese', async () => {
  const to = { url: 'http://127.0.0.1:9/' }
  const chinese = await told(to, {})
  expect(chinese.content).toMatch(/^触发：/)
  await room.db
    .insertInto('app_user')
    .values({ user_name: 'operator', password_hash: '', role_id: 1, language: 'en_US' })
    .execute()
  const { content } = await told(to, {})
  expect(content).toMatch(/^Trigger: /)
  expect(content).toMatch(/\nTime: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC[+-]\d/)
})

test('its variables are filled in with what was seen; those of alarms are none of them', async () => {
  const device = await room.device(await room.product())
  const texts = { title: variable('deviceName'), content: `${variable('trigger')} ${variable('level')}` }
  expect(await told(texts, { device })).toMatchObject({
    title: device.deviceName,
    content: `温度 > 80 ℃（实际 83.6 ℃） ${variable('level')}`,
  })
})
