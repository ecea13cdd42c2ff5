import { readChannel } from '@ithings/contract/features/notify.ts'
import { createScene, listScenes, readScene, updateScene } from '@ithings/contract/features/scenes/info.ts'
import type { SceneAction } from '@ithings/contract/rules/scene-parts.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeRole, makeSignedIn, uniqueText } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'

let world: World
let token: string
const editing = [createScene, listScenes, readScene, updateScene]
beforeAll(async () => {
  world = await openWorld()
  token = (await makeSignedIn(world, { role: await makeRole(world, editing) })).token
})
afterAll(() => world.close())

const robot = (key: string, content: string) => ({
  executor: 'notify',
  notify: { type: 'dingtalk', url: `https://robot.example.com/send?key=${key}`, secret: `SEC-${key}`, content },
})
const makeScene = async () => {
  const then = JSON.stringify([robot('one', 'a'), robot('two', 'b')])
  const name = uniqueText('联动')
  return { name, id: (await world.asAdmin(createScene, { name, triggerType: 'manual', then })).id }
}
const actionsOf = (then: string): SceneAction[] => JSON.parse(then)
const stored = async (id: number) => actionsOf((await world.asAdmin(readScene, { id })).then)
const seen = async (id: number) => actionsOf((await world.call(readScene, { id }, { token })).data.then)
const save = (scene: { id: number; name: string }, actions: unknown) =>
  world.call(updateScene, { ...scene, triggerType: 'manual', then: JSON.stringify(actions) }, { token })

test('who may not read channels sees the host of a webhook in a scene, not its key', async () => {
  const { id } = await makeScene()
  const listed = (await world.call(listScenes, { sceneIDs: [id] }, { token })).data.list[0]
  for (const actions of [await seen(id), actionsOf(listed?.then ?? '')]) {
    expect(actions.map(({ notify }) => [notify?.url, notify?.secret])).toEqual([
      ['https://robot.example.com/******#1', '******#1'],
      ['https://robot.example.com/******#2', '******#2'],
    ])
  }
  const reader = await makeSignedIn(world, { role: await makeRole(world, [...editing, readChannel]) })
  const whole = await world.call(readScene, { id }, { token: reader.token })
  expect(actionsOf(whole.data.then)[0]?.notify).toMatchObject({ secret: 'SEC-one' })
})

test('what is sent back hidden stays what it is, also when actions are moved', async () => {
  const scene = await makeScene()
  const [one, two] = await stored(scene.id)
  const actions = await seen(scene.id)
  expect((await save(scene, actions)).code).toBe(200)
  expect(await stored(scene.id)).toEqual([one, two])
  expect((await save(scene, actions.toReversed())).code).toBe(200)
  expect(await stored(scene.id)).toEqual([two, one])
})

test('a hidden key goes to no other address, and nothing hidden is saved as it is', async () => {
  const scene = await makeScene()
  const before = await stored(scene.id)
  const [first] = await seen(scene.id)
  for (const change of [{ url: 'https://evil.example.com/' }, { url: first?.notify?.url?.replace('#1', '#3') }]) {
    const answer = await save(scene, [{ ...first, notify: { ...first?.notify, ...change } }])
    expect([answer.code, answer.msg]).toEqual([100006, expect.stringContaining('隐藏')])
  }
  const copy = { name: uniqueText('副本'), triggerType: 'manual', then: JSON.stringify([first]) }
  expect((await world.call(createScene, copy, { token })).code).toBe(100006)
  expect(await stored(scene.id)).toEqual(before)
})
