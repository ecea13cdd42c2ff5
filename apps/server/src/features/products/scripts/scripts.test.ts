import { createProduct } from '@ithings/contract/features/products.ts'
import { maxScriptBytes, readCustom, runScript, saveDraft, updateCustom } from '@ithings/contract/features/scripts.ts'
import { importTsl } from '@ithings/contract/features/thing-model.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connect } from '#db/connect.ts'
import { makePgSignal } from '#engines/pg-signal/pg-signal.ts'
import { makeRole, makeSignedIn, uniqueText } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'

let world: World
let productID: string
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  productID = (await world.asAdmin(createProduct, { productName: uniqueText('脚本产品') })).productID
})

const script = 'function thingPropertyUp(bytes) {\n  return { method: "report", params: { level: bytes[0] } }\n}'
const refused = (
  endpoint: typeof updateCustom | typeof saveDraft | typeof runScript | typeof readCustom,
  body: object,
) => world.call(endpoint, body, { token: world.admin })

describe('draft and published version', () => {
  test('a new product has no script', async () => {
    expect(await world.asAdmin(readCustom, { productID })).toEqual({
      productID,
      transformScript: '',
      scriptLang: 1,
      customTopic: [],
      draft: '',
      cases: [],
      publishedTime: '0',
      rev: 0,
    })
  })

  test('publishing sets script, draft, time and rev, and leaves out what was not sent', async () => {
    const before = Math.floor(world.clock.now() / 1000)
    await world.asAdmin(updateCustom, { productID, transformScript: script, customTopic: ['user/data'] })
    await world.asAdmin(updateCustom, { productID, transformScript: `${script}\n` })
    const custom = await world.asAdmin(readCustom, { productID })
    expect(custom).toMatchObject({
      transformScript: `${script}\n`,
      draft: `${script}\n`,
      customTopic: ['user/data'],
      rev: 2,
    })
    expect(Number(custom.publishedTime)).toBeGreaterThanOrEqual(before)
  })

  test('a draft may be broken, keeps its cases and does not touch what is published', async () => {
    await world.asAdmin(updateCustom, { productID, transformScript: script })
    const cases = [{ name: '满', direction: 'up', handler: 'thingPropertyUp', input: '64' }] as const
    await world.asAdmin(saveDraft, { productID, draft: 'function (', cases: [...cases] })
    await world.asAdmin(saveDraft, { productID, draft: 'let = 1' })
    expect(await world.asAdmin(readCustom, { productID })).toMatchObject({
      transformScript: script,
      draft: 'let = 1',
      cases,
      rev: 1,
    })
  })

  test('a draft saved before the first publication does not make it stale', async () => {
    const { rev } = await world.asAdmin(readCustom, { productID })
    await world.asAdmin(saveDraft, { productID, draft: script })
    await world.asAdmin(updateCustom, { productID, transformScript: script, rev })
    expect(await world.asAdmin(readCustom, { productID })).toMatchObject({ rev: 1 })
  })

  test('publishing over a newer version is refused with 900001', async () => {
    const { rev } = await world.asAdmin(readCustom, { productID })
    await world.asAdmin(updateCustom, { productID, transformScript: script, rev })
    expect(await refused(updateCustom, { productID, transformScript: '', rev })).toMatchObject({
      status: 400,
      code: 900001,
    })
    expect(await world.asAdmin(readCustom, { productID })).toMatchObject({ transformScript: script })
  })

  test('an empty script turns parsing off and keeps the draft', async () => {
    await world.asAdmin(updateCustom, { productID, transformScript: script })
    await world.asAdmin(updateCustom, { productID, transformScript: '' })
    expect(await world.asAdmin(readCustom, { productID })).toMatchObject({ transformScript: '', draft: script, rev: 2 })
  })

  test('other servers hear of a publication', async () => {
    const connection = connect(world.url, () => {})
    const signal = makePgSignal(world.url, connection.pool, () => {})
    const heard: string[] = []
    signal.on('product.changed', (notice) => void heard.push(notice.productID))
    await signal.start()
    try {
      await world.asAdmin(updateCustom, { productID, transformScript: script })
      await expect.poll(() => heard).toEqual([productID])
    } finally {
      await signal.stop()
      await connection.close()
    }
  })
})

describe('refusals', () => {
  test('a script that does not parse is refused with 100023 and its line', async () => {
    const result = await refused(updateCustom, { productID, transformScript: `${script}\nlet = ;` })
    expect(result).toMatchObject({ status: 400, code: 100023 })
    expect(result.msg).toMatch(/^脚本执行失败:第 4 行，语法错误：/)
    expect(result.body.field).toBe('transformScript')
    expect(await world.asAdmin(readCustom, { productID })).toMatchObject({ transformScript: '', rev: 0 })
  })

  test('a script whose top level throws or never ends is refused with 100023', async () => {
    expect((await refused(updateCustom, { productID, transformScript: '\n\nnope()' })).msg).toContain('第 3 行')
    expect(await refused(updateCustom, { productID, transformScript: 'for (;;);' })).toMatchObject({ code: 100023 })
  })

  test('a script of more than 128 KB is refused with 100006, counted in bytes', async () => {
    const big = `// ${'界'.repeat(maxScriptBytes / 3)}`
    for (const [endpoint, body] of [
      [updateCustom, { productID, transformScript: big }],
      [saveDraft, { productID, draft: big }],
      [runScript, { productID, script: big, direction: 'up', input: '' }],
    ] as const) {
      expect(await refused(endpoint, body)).toMatchObject({ status: 400, code: 100006 })
    }
    const most = `// ${'x'.repeat(maxScriptBytes - 3)}`
    await world.asAdmin(updateCustom, { productID, transformScript: most })
  })

  test('more than 50 cases, a bad handler and another language are refused with 100006', async () => {
    const one = { name: 'x', direction: 'up', handler: 'thingPropertyUp', input: '' }
    expect(await refused(saveDraft, { productID, draft: '', cases: Array(51).fill(one) })).toMatchObject({
      code: 100006,
    })
    expect(await refused(saveDraft, { productID, draft: '', cases: [{ ...one, handler: 'x' }] })).toMatchObject({
      code: 100006,
    })
    expect(await refused(updateCustom, { productID, transformScript: 'x', scriptLang: 2 })).toMatchObject({
      code: 100006,
      body: { field: 'scriptLang' },
    })
  })

  test('an unknown product is 100009 everywhere', async () => {
    const unknown = 'Nowhere0000'
    for (const [endpoint, body] of [
      [readCustom, { productID: unknown }],
      [updateCustom, { productID: unknown, transformScript: '' }],
      [saveDraft, { productID: unknown, draft: '' }],
      [runScript, { productID: unknown, script: '', direction: 'up', input: '' }],
    ] as const) {
      expect(await refused(endpoint, body)).toMatchObject({ status: 400, code: 100009 })
    }
  })

  test('a role without the right is refused with 100012', async () => {
    const { token } = await makeSignedIn(world, { role: await makeRole(world, [readCustom]) })
    expect(await world.call(readCustom, { productID }, { token })).toMatchObject({ code: 200 })
    expect(await world.call(updateCustom, { productID, transformScript: '' }, { token })).toMatchObject({
      status: 403,
      code: 100012,
    })
    expect(await world.call(runScript, { productID, script, direction: 'up', input: '' }, { token })).toMatchObject({
      code: 100012,
    })
  })
})

describe('test bench', () => {
  test('hex goes up through the given text, is measured by the model, and nothing is stored', async () => {
    await world.asAdmin(importTsl, {
      productID,
      tsl: JSON.stringify({
        properties: [
          {
            identifier: 'level',
            name: '液位',
            mode: 'r',
            define: { type: 'int', min: '0', max: '100', start: '0', step: '1' },
          },
        ],
      }),
    })
    const good = await world.asAdmin(runScript, { productID, script, direction: 'up', input: '0x64' })
    expect(good).toMatchObject({ ok: true, outputHex: '', error: '', line: 0, modelIssues: [] })
    expect(JSON.parse(good.output)).toEqual({ method: 'report', params: { level: 100 } })
    const bad = await world.asAdmin(runScript, { productID, script, direction: 'up', input: '65' })
    expect(bad.modelIssues).toEqual(['属性 level 须在 0–100 之间，收到 101'])
    expect(await world.asAdmin(readCustom, { productID })).toMatchObject({ transformScript: '', draft: '', rev: 0 })
  })

  test('JSON goes down and comes out as hex', async () => {
    const down = 'function thingPropertyDown(json) { console.log(json.method); return [1, json.params.pump ? 255 : 0] }'
    const input = JSON.stringify({ method: 'control', params: { pump: true } })
    expect(await world.asAdmin(runScript, { productID, script: down, direction: 'down', input })).toMatchObject({
      ok: true,
      output: '[1,255]',
      outputHex: '01ff',
      logs: ['control'],
      modelIssues: [],
    })
  })

  test('another function is called when it is named', async () => {
    const events = 'const thingEventUp = () => ({ method: "eventPost", eventID: "x", params: {} })'
    const result = await world.asAdmin(runScript, {
      productID,
      script: events,
      direction: 'up',
      handler: 'thingEventUp',
      input: '',
    })
    expect(result).toMatchObject({ ok: true, modelIssues: ['事件 x 不在物模型中'] })
    expect(await world.asAdmin(runScript, { productID, script: events, direction: 'up', input: '' })).toMatchObject({
      ok: false,
      output: '',
      error: '转换函数未找到:thingPropertyUp',
    })
  })

  test('an error is a result with its line and the console before it', async () => {
    const broken = 'function thingPropertyUp(bytes) {\n  console.log("开始")\n  return bytes.nope.x\n}'
    expect(await world.asAdmin(runScript, { productID, script: broken, direction: 'up', input: '01' })).toMatchObject({
      ok: false,
      line: 3,
      logs: ['开始'],
      error: expect.stringMatching(/^TypeError/),
    })
  })

  test('an endless script is a result and the next run works', async () => {
    const endless = 'function thingPropertyUp() { for (;;); }'
    expect(await world.asAdmin(runScript, { productID, script: endless, direction: 'up', input: '' })).toMatchObject({
      ok: false,
    })
    expect(await world.asAdmin(runScript, { productID, script, direction: 'up', input: '05' })).toMatchObject({
      ok: true,
    })
  })

  test('endless scripts of one caller are refused when many, and take nothing from the scripts of devices', async () => {
    const callsOfDevices = async () =>
      /ithings_scripts\{what="calls"\} (\d+)/.exec((await world.app.http.inject('/metrics')).payload)?.[1]
    const before = await callsOfDevices()
    expect(before).toBeDefined()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        refused(runScript, {
          productID,
          script: `function thingPropertyUp() { for (;;); } // ${i}`,
          direction: 'up',
          input: '',
        }),
      ),
    )
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set([200, 900002]))
    expect(await callsOfDevices()).toBe(before)
    expect(await world.asAdmin(runScript, { productID, script, direction: 'up', input: '05' })).toMatchObject({
      ok: true,
    })
  })

  test.each([
    ['up', '0x1'],
    ['up', 'zz'],
    ['down', '{'],
    ['down', ''],
    ['sideways', ''],
  ])('direction %s with input "%s" is refused with 100006', async (direction, input) => {
    expect(await refused(runScript, { productID, script, direction, input })).toMatchObject({
      status: 400,
      code: 100006,
    })
  })
})
