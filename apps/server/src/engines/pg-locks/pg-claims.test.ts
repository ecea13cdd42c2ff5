import { connect, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import type { Claims } from '#ports/claims.ts'
import { makeScratchDatabase } from '#testing/scratch-database.ts'
import { makePgClaims } from './pg-claims.ts'

let url: string
let closers: Array<() => Promise<void>>
beforeEach(async () => {
  const database = await makeScratchDatabase(inject('databaseUrl'), inject('openedTemplate'))
  url = database.url
  closers = [() => database.drop()]
})
afterEach(async () => {
  for (const close of closers.toReversed()) await close()
})

function make(connectionString = url) {
  const lost: number[] = []
  const claims: Claims = makePgClaims({ connectionString, onLost: () => void lost.push(1) })
  closers.push(() => claims.stop())
  return { claims, lost }
}

test('a number is one server’s at a time, and free when it lets go or ends', async () => {
  const one = make()
  const two = make()
  expect([await one.claims.take(0), await one.claims.take(0), await two.claims.take(0)]).toEqual([true, true, false])
  expect(await two.claims.take(1)).toBe(true)
  await one.claims.letGo(0)
  expect(await two.claims.take(0)).toBe(true)
  await two.claims.stop()
  await expect.poll(() => one.claims.take(1)).toBe(true)
  expect(one.lost).toEqual([])
})

test('who means something else by the numbers has to wait until nobody means the first thing any more', async () => {
  const [one, two, three] = [make(), make(), make()]
  expect(await Promise.all([one.claims.agree('2 parts'), two.claims.agree('2 parts')])).toEqual([true, true])
  expect([await three.claims.agree('3 parts'), await one.claims.agree('2 parts')]).toEqual([false, true])
  await one.claims.disagree()
  expect(await three.claims.agree('3 parts')).toBe(false)
  await two.claims.stop()
  await expect.poll(() => three.claims.agree('3 parts')).toBe(true)
  expect(await one.claims.agree('2 parts')).toBe(false)
  // Who changes its mind is not in its own way.
  expect(await three.claims.agree('4 parts')).toBe(true)
})

test('whose connection ends hears that all are lost, and may take them again', async () => {
  const { claims, lost } = make()
  await claims.take(0)
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'ithings-core claims' and datname = current_database()`)
  await admin.end()
  await expect.poll(() => lost).toEqual([1])
  expect(await claims.take(0)).toBe(true)
})

/** A way to the database that can be cut without a word, as when a machine hangs or vanishes. */
async function openCuttable() {
  const { host, port, user, password, database } = new pg.Client({ connectionString: url })
  const sockets: Socket[] = []
  let cut = false
  const server = createServer((near) => {
    const far = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    sockets.push(near, far)
    near.on('data', (chunk) => cut || far.write(chunk)).on('error', () => {})
    far.on('data', (chunk) => cut || near.write(chunk)).on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const at = server.address()
  const who = [user, password].map((text) => encodeURIComponent(text ?? '')).join(':')
  const own = typeof at === 'object' && at ? at.port : 0
  return {
    url: `postgres://${who}@127.0.0.1:${own}/${database}`,
    cut: () => {
      cut = true
    },
  }
}

test('what a server has that hangs or has vanished is free after a while, by the clock of the database', async () => {
  const way = await openCuttable()
  const hung = make(way.url)
  const living = make()
  expect(await hung.claims.take(0)).toBe(true)
  expect(await living.claims.take(0)).toBe(false)
  way.cut()
  await expect.poll(() => living.claims.take(0), { interval: 500 }).toBe(true)
  await expect.poll(() => hung.lost).toEqual([1])
})
