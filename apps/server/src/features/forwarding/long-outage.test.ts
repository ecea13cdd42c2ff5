/** A target that is away for hours: the clock is handed in, everything else is real. */
import { hourMs } from '@ithings/contract/durations.ts'
import { createChannel } from '@ithings/contract/features/notify.ts'
import { updateProduct } from '@ithings/contract/features/products.ts'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { dropOldJournal } from '#engines/pg-journal/retention.ts'
import { answerJson } from '#features/notify/testing/receiver.ts'
import { eventually } from '#testing/eventually.ts'
import { makeConnected, makeFullProduct } from '#uplink/testing/full-product.ts'
import { makeRule, openForwardWorld, openTaker, sentTo } from './testing/forward-world.ts'

test('13 hours without the target: all is kept, people are told in time, and everything arrives in order', async () => {
  const [world, receiver, people] = [await openForwardWorld(), await openTaker(), await openTaker()]
  const pool = new pg.Pool({ connectionString: world.url, max: 1 })
  onTestFinished(async () => {
    await pool.end()
    await world.close()
    await receiver.close()
    await people.close()
  })
  const { id: channelID } = await world.asAdmin(createChannel, {
    name: '值班',
    type: 'webhook',
    settings: { url: people.url },
  })
  const productID = await makeFullProduct(world)
  await world.asAdmin(updateProduct, { productID, logDays: 1 })
  const device = await makeConnected(world, {}, productID)
  receiver.reply = answerJson({}, 503)
  const id = await makeRule(world, receiver, { lagSeconds: 3600, channelIDs: [channelID] })

  const levels = Array.from({ length: 13 }, (_, hour) => hour)
  for (const level of levels) {
    await device.publish('thing/property', { method: 'report', clientToken: `c${level}`, params: { level } })
    world.clock.advance(hourMs)
  }
  const state = () =>
    world.db.selectFrom('forward_state').selectAll().where('rule_id', '=', id).executeTakeFirstOrThrow()
  await eventually(async () => expect(await state()).toMatchObject({ error: expect.stringContaining('503') }))
  const { oldest_at, loses_at } = await state()
  expect(world.clock.now() - oldest_at).toBeGreaterThanOrEqual(13 * hourMs)
  expect(loses_at).toBeGreaterThan(world.clock.now())
  const told = () => people.received.map(({ body }) => body).join('\n')
  await eventually(() => expect(told()).toContain('已落后'))
  await dropOldJournal(pool, world.clock.now())

  // Five hours before anything would be lost.
  world.clock.advance(Math.max(0, loses_at - 5 * hourMs - world.clock.now()))
  await eventually(() => expect(told()).toContain('日志保留期清除'))
  await dropOldJournal(pool, world.clock.now())

  receiver.received.length = 0
  receiver.reply = answerJson({})
  await eventually(() => expect(sentTo(receiver).map(({ data }) => data.level)).toEqual(levels))
  await eventually(async () => expect(await state()).toMatchObject({ error: '', oldest_at: 0, sent: 13 }))
  expect(new Set(sentTo(receiver).map((message) => message.id)).size).toBe(13)
})
