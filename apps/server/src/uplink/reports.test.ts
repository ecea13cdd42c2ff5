/** device-protocol.md 5 "property report", both spellings, and thing-model.md 4 over real MQTT. */
import { updateProduct } from '@ithings/contract/features/products.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestDevice } from '#testing/mqtt-device.ts'
import { openWorld, type World } from '#testing/world.ts'
import { addedBy, linesOf, makeConnected, makeFullProduct, refusalOf } from './testing/full-product.ts'

let world: World
let device: TestDevice

beforeAll(async () => {
  world = await openWorld()
  device = await makeConnected(world)
})
afterAll(() => world?.close())

describe('the reply', () => {
  test('a report is answered with report_reply, code 200, its clientToken, both texts and the time', async () => {
    const before = Date.now()
    const reply = await device.ask('thing/property', { method: 'report', clientToken: '123', params: { power: 1 } })
    expect(reply).toEqual({
      method: 'report_reply',
      clientToken: '123',
      timestamp: expect.any(Number),
      code: 200,
      status: '成功',
      msg: '成功',
    })
    expect(reply.timestamp).toBeGreaterThanOrEqual(before)
    expect(reply.timestamp).toBeLessThanOrEqual(Date.now())
  })

  test('decisions.md 2: a report with msgToken counts as camelCase and gets msgToken back', async () => {
    const reply = await device.ask('thing/property', { method: 'report', msgToken: 'm1', params: { power: 1 } })
    expect(reply).toMatchObject({ method: 'reportReply', msgToken: 'm1', code: 200, msg: '成功' })
    expect(reply).not.toHaveProperty('clientToken')
  })

  test('a number as token comes back as the same number', async () => {
    await device.publish('thing/property', { method: 'report', clientToken: 77, params: { power: 1 } })
    expect(await device.next('thing/property')).toMatchObject({ clientToken: 77, code: 200 })
  })

  test('without a token the reply carries clientToken ""', async () => {
    await device.publish('thing/property', { method: 'report', params: { power: 0 } })
    expect(await device.next('thing/property')).toMatchObject({ clientToken: '', code: 200 })
  })

  test('sys.noAsk suppresses the reply, also of a refusal; the message is stored', async () => {
    const sys = { noAsk: true }
    const before = (await addedBy(world, device.key)).length
    await device.publish('thing/property', { method: 'report', params: { temp: 31 }, sys })
    await device.publish('thing/property', { method: 'report', params: { temp: 'hot' }, sys })
    expect(await device.quiet()).toEqual([])
    const added = await addedBy(world, device.key)
    expect(added.slice(before)).toEqual([{ temp: 31 }])
    expect(await refusalOf(world, device.key)).toMatchObject({ code: 100006 })
  })

  test('a refusal carries the catalogue code and names the field', async () => {
    const reply = await device.ask('thing/property', { method: 'report', params: { temp: 101 } })
    expect(reply).toMatchObject({ method: 'report_reply', code: 100015 })
    expect(reply.msg).toBe('参数的值超出范围:temp 须在 -50–100 之间，收到 101')
    expect(reply.status).toBe(reply.msg)
  })
})

describe('product setting dialect', () => {
  test.each([
    [1, 'report_reply', 'get_status_reply', 'event_reply'],
    [2, 'reportReply', 'getStatusReply', 'eventReply'],
  ])('dialect %i overrides the spelling of the message', async (dialect, report, status, event) => {
    const own = await makeConnected(world, { dialect })
    for (const msgToken of [undefined, 'm']) {
      const token = msgToken ? { msgToken } : { clientToken: 'c' }
      expect(await own.ask('thing/property', { method: 'report', params: { power: 1 }, ...token })).toMatchObject({
        method: report,
      })
    }
    for (const method of ['getStatus', 'get_status']) {
      expect(await own.ask('thing/property', { method })).toMatchObject({ method: status })
    }
    const post = {
      method: dialect === 1 ? 'eventPost' : 'event_post',
      eventID: 'overheat',
      params: { temp: 1, note: '' },
    }
    expect(await own.ask('thing/event', post)).toMatchObject({ method: event })
    await own.end()
  })

  test('a changed setting counts from the next message on', async () => {
    const productID = await makeFullProduct(world)
    const own = await makeConnected(world, {}, productID)
    const report = { method: 'report', params: { power: 1 } }
    expect(await own.ask('thing/property', report)).toMatchObject({ method: 'report_reply' })
    await world.asAdmin(updateProduct, { productID, dialect: 2 })
    expect(await own.ask('thing/property', report)).toMatchObject({ method: 'reportReply' })
    await own.end()
  })
})

describe('values', () => {
  test('values are stored as the model says: bool of 1, numbers of text, structs without unknown members', async () => {
    const own = await makeConnected(world)
    const params = {
      power: 1,
      temp: '21.5',
      level: 7,
      note: '你好',
      mode: 2,
      since: '1700000000000',
      place: { row: 4, label: 'a', foreign: 1 },
      list: [1, 2],
    }
    expect(await own.ask('thing/property', { method: 'report', params })).toMatchObject({ code: 200 })
    expect(await addedBy(world, own.key)).toEqual([
      {
        power: true,
        temp: 21.5,
        level: 7,
        note: '你好',
        mode: 2,
        since: 1_700_000_000_000,
        place: { row: 4, label: 'a' },
        list: [1, 2],
      },
    ])
    await own.end()
  })

  test.each([
    [{ power: 'maybe' }, 100006, 'power'],
    [{ temp: true }, 100006, 'temp'],
    [{ level: null }, 100006, 'level'],
    [{ level: 101 }, 100015, 'level'],
    [{ level: -1 }, 100015, 'level'],
    [{ temp: -50.1 }, 100015, 'temp'],
    [{ note: 5 }, 100006, 'note'],
    [{ note: '一二三四五六' }, 100015, 'note'],
    [{ mode: '1' }, 100006, 'mode'],
    [{ mode: 3 }, 100015, 'mode'],
    [{ since: 'yesterday' }, 100006, 'since'],
    [{ place: [], temp: 'x' }, 100006, 'temp'],
    [{ place: 3 }, 100006, 'place'],
    [{ place: { row: 10 } }, 100015, 'place.row'],
    [{ list: 'abc' }, 100006, 'list'],
    [{ list: [1, 10] }, 100015, 'list[1]'],
  ])('%j is refused with %i naming %s, and nothing of it is stored', async (bad, code, field) => {
    const before = (await addedBy(world, device.key)).length
    const reply = await device.ask('thing/property', { method: 'report', params: { power: 1, ...bad } })
    expect(reply.code).toBe(code)
    expect(reply.msg).toContain(field)
    expect((await addedBy(world, device.key)).length).toBe(before)
    const line = await refusalOf(world, device.key)
    expect(line).toMatchObject({ code, msg: reply.msg, token: reply.clientToken, adds: false, method: 'report' })
  })

  test('unknown identifiers are skipped', async () => {
    const own = await makeConnected(world)
    const reply = await own.ask('thing/property', { method: 'report', params: { power: true, nothing: 1 } })
    expect(reply.code).toBe(200)
    expect(await addedBy(world, own.key)).toEqual([{ power: true }])
    await own.end()
  })

  test('a report of unknown identifiers only is refused with 100006 naming one', async () => {
    const reply = await device.ask('thing/property', { method: 'report', params: { nothing: 1, more: 2 } })
    expect(reply).toMatchObject({ code: 100006, msg: '参数错误:查不到物模型:nothing' })
  })

  test('an empty array counts as not sent', async () => {
    const own = await makeConnected(world)
    expect((await own.ask('thing/property', { method: 'report', params: { list: [], temp: 3 } })).code).toBe(200)
    expect(await addedBy(world, own.key)).toEqual([{ temp: 3 }])
    expect(await own.ask('thing/property', { method: 'report', params: { list: [] } })).toMatchObject({
      code: 100006,
      msg: '参数错误:need add params',
    })
    await own.end()
  })

  test.each([[{}], [[]], [null], ['text'], [undefined]])(
    'params %j are refused with "need add params"',
    async (params) => {
      const reply = await device.ask('thing/property', { method: 'report', params })
      expect(reply).toMatchObject({ code: 100006, msg: '参数错误:need add params' })
    },
  )

  test('a very long unknown identifier does not come back as a very long text', async () => {
    const reply = await device.ask('thing/property', { method: 'report', params: { ['x'.repeat(5_000)]: 1 } })
    expect(reply.code).toBe(100006)
    expect(String(reply.msg).length).toBeLessThan(300)
  })

  test('characters that the database cannot keep are replaced, the message is stored', async () => {
    const own = await makeConnected(world)
    const payload = '{"method":"report","clientToken":"n","params":{"note":"a\\u0000b\\ud800"}}'
    await own.publishRaw(`$thing/up/property/${own.key.productID}/${own.key.deviceName}`, payload)
    expect(await own.next('thing/property')).toMatchObject({ code: 200 })
    expect(await addedBy(world, own.key)).toEqual([{ note: 'a\ufffdb\ufffd' }])
    await own.end()
  })
})

describe('device time (decisions.md 2)', () => {
  const day = 86_400_000
  const ask = (timestamp: unknown) =>
    device.ask('thing/property', { method: 'report', timestamp, params: { temp: Math.random() } })

  test.each([
    ['now', 0],
    ['9 minutes ahead', 9 * 60_000],
    ['364 days ago', -364 * day],
  ])('%s is accepted and kept', async (_, shift) => {
    const at = world.clock.now() + shift
    expect((await ask(at)).code).toBe(200)
    expect((await linesOf(world, device.key)).at(-1)).toMatchObject({ device_time: at, code: 200, adds: true })
  })

  test.each([
    ['11 minutes ahead', 11 * 60_000],
    ['366 days ago', -366 * day],
  ])('%s is refused with 100015', async (_, shift) => {
    const reply = await ask(world.clock.now() + shift)
    expect(reply.code).toBe(100015)
    expect(reply.msg).toContain('timestamp')
  })

  test('how far back follows the days that the product keeps values', async () => {
    const own = await makeConnected(world, { valueDays: 2 })
    const at = (days: number) => ({
      method: 'report',
      timestamp: world.clock.now() - days * day,
      params: { temp: 1 },
    })
    expect((await own.ask('thing/property', at(1.9))).code).toBe(200)
    expect((await own.ask('thing/property', at(2.1))).code).toBe(100015)
    await own.end()
  })

  test('a time as text is read as a number', async () => {
    const at = world.clock.now() - 5_000
    expect((await ask(String(at))).code).toBe(200)
    expect((await linesOf(world, device.key)).at(-1)).toMatchObject({ device_time: at })
  })

  test.each([['soon'], [{}], [true], ['-5'], ['1e3']])('%j as time is refused with 100006', async (timestamp) => {
    const reply = await ask(timestamp)
    expect(reply.code).toBe(100006)
    expect(reply.msg).toContain('timestamp')
  })

  test.each([[undefined], [null], [0], [''], ['0']])('time %j means the time of receipt', async (timestamp) => {
    const before = world.clock.now()
    expect((await ask(timestamp)).code).toBe(200)
    const line = (await linesOf(world, device.key)).at(-1)
    expect(line).toMatchObject({ device_time: 0, adds: true })
    expect(Number(line?.at)).toBeGreaterThanOrEqual(before)
  })
})
