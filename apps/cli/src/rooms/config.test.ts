/** The configuration of one platform as files, and another one made from them. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { applyConfig, configKinds, exportConfig, listPlans } from '@ithings/contract/features/plans.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyDevices, exportAll, fillPlatform } from '../../../server/src/features/plans/testing/rebuild.ts'
import { openWorld, type World } from '../../../server/src/testing/world.ts'
import { makeFullProduct } from '../../../server/src/uplink/testing/full-product.ts'
import { ithings, listen, makeFolder } from '../testing/process.ts'

let first: World
let second: World
let from: Awaited<ReturnType<typeof listen>>
let to: Awaited<ReturnType<typeof listen>>
beforeAll(async () => {
  first = await openWorld()
  second = await openWorld()
  from = await listen(first)
  to = await listen(second)
  await fillPlatform(first)
  const productID = await makeFullProduct(first)
  const { list } = await first.asAdmin(exportConfig, { kinds: ['script'] })
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a text with a placeholder
  const remark = '每个 ${TOKEN} 的班组'
  await first.asAdmin(applyConfig, {
    objects: [
      { kind: 'role', name: '值班员', spec: { remark } },
      ...list
        .filter(({ name }) => name === productID)
        .map((one) => ({
          ...one,
          // biome-ignore lint/suspicious/noTemplateCurlyInString: a script has its own
          spec: { ...one.spec, transformScript: 'function protocolToRawData(o) {\n  return `${MAX}`\n}\n' },
        })),
    ],
  })
})
afterAll(async () => {
  await first?.close()
  await second?.close()
})

test('what was exported changes nothing where it came from, and rebuilds an empty platform', async () => {
  const folder = join(await makeFolder(), 'platform')
  const filesOf = (...kinds: string[]) => kinds.flatMap((kind) => ['-f', join(folder, kind)])
  expect(await ithings(from.env, ['export', '-o', folder])).toMatchObject({ code: 0 })
  expect((await readdir(folder)).toSorted()).toEqual(configKinds.toSorted())
  const same = await ithings(from.env, ['plan', '-f', folder, '--prune', '--exit-code'])
  expect(same).toEqual({ code: 0, out: 'No changes\n', err: '' })

  const planned = await ithings(to.env, ['plan', '-f', folder, '--exit-code'])
  expect(planned).toMatchObject({ code: 2, err: '' })
  for (const kind of configKinds) expect(planned.out).toMatch(new RegExp(`^\\+ .* ${kind}/`, 'm'))
  expect(planned.out).toMatch(/^\+ Role role\/值班员$/m)
  // Scenes name devices, which are no configuration: while they are missing, nothing of the whole is applied.
  const early = await ithings(to.env, ['apply', '-f', folder, '--yes'])
  expect(early).toMatchObject({
    code: 1,
    err: expect.stringMatching(/cannot be applied like this; nothing was changed/),
  })
  // Nobody is there to ask, so nothing happens.
  const products = filesOf('product', 'model', 'script')
  expect(await ithings(to.env, ['apply', ...products])).toMatchObject({ code: 64 })
  expect(await ithings(to.env, ['plan', '-f', folder, '--exit-code'])).toEqual(planned)
  expect(await ithings(to.env, ['apply', ...products, '--yes'])).toMatchObject({ code: 0 })
  await copyDevices(first, second)
  expect(await ithings(to.env, ['apply', '-f', folder, '--yes'])).toMatchObject({ code: 0 })
  expect(await exportAll(second)).toEqual(await exportAll(first))
  expect((await ithings(to.env, ['plan', '-f', folder, '--prune'])).out).toBe('No changes\n')
})

test('a change is proposed for a person, and files from the standard input are refused with their fault', async () => {
  const folder = await makeFolder()
  const file = join(folder, 'role.yaml')
  expect(await ithings(from.env, ['export', '--kinds', 'role', '-o', file])).toMatchObject({ code: 0 })
  const text = await readFile(file, 'utf8')
  expect(text).toContain('每个 $${TOKEN} 的班组')
  await writeFile(file, text.replace('$${', '${'))
  expect(await ithings(from.env, ['plan', '-f', file])).toMatchObject({
    code: 64,
    err: expect.stringMatching(/role\/值班员 needs the environment variable TOKEN, which is not set/),
  })
  const proposed = await ithings({ ...from.env, TOKEN: '夜' }, ['apply', '-f', file, '--propose', 'night shift'])
  expect(proposed).toMatchObject({ code: 0, err: expect.stringMatching(/^Proposed as plan \d+/) })
  expect(proposed.out).toMatch(/^ {4}- remark: .*\n {4}\+ remark: 每个 夜 的班组$/m)
  const { list } = await first.asAdmin(listPlans, {})
  expect(list[0]).toMatchObject({ title: 'night shift', state: 1, updates: 1 })
  const broken = await ithings(from.env, ['plan', '-f', '-'], 'kind: lamp\nname: a\nspec: {}\n')
  expect(broken).toMatchObject({ code: 64, err: expect.stringMatching(/^-, document 1: kind /) })
})
