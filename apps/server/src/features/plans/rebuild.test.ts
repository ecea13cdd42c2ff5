/** The demo fleet's configuration as files: against itself it changes nothing, and an empty platform becomes the same. */
import { applyConfig, type ConfigObject, configKinds, previewConfig } from '@ithings/contract/features/plans.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type World } from '#testing/world.ts'
import { copyDevices, exportAll, fillPlatform } from './testing/rebuild.ts'

let full: World
let empty: World
beforeAll(async () => {
  full = await openWorld()
  empty = await openWorld()
})
afterAll(async () => {
  await full.close()
  await empty.close()
})

const ofProducts = ({ kind }: ConfigObject) => ['product', 'model', 'script'].includes(kind)

test('the plan of an export against itself is empty, and applied to an empty platform it makes the same', async () => {
  await fillPlatform(full)
  const exported = await exportAll(full)
  expect(new Set(exported.map(({ kind }) => kind))).toEqual(new Set(configKinds))
  expect((await full.asAdmin(previewConfig, { objects: exported, prune: true })).changes).toEqual([])

  await empty.asAdmin(applyConfig, { objects: exported.filter(ofProducts) })
  await copyDevices(full, empty)
  const { changes } = await empty.asAdmin(applyConfig, { objects: exported, prune: true })
  expect(changes.filter(({ act }) => act !== 1)).toEqual([])
  expect(await exportAll(empty)).toEqual(exported)
  expect((await empty.asAdmin(previewConfig, { objects: exported, prune: true })).changes).toEqual([])
})
