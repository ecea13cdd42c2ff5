/**
 * A database with products, devices and scenes, and servers on it that hear real devices and watch: the corridor, broker
 * and stores of the app with a runner that collects. The whole app is not built, because it watches itself.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clientIDOf, passwordOf, randomConnID, SignMethod, userNameOf } from '@ithings/contract/device/credentials.ts'
import { parseScene, sceneTexts } from '@ithings/contract/rules/scene-text.ts'
import { readTslText } from '@ithings/contract/thing-model/tsl.ts'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { expect, inject } from 'vitest'
import { readConfig } from '#app/config.ts'
import { openDeviceStack } from '#app/device-stack.ts'
import { makeLateDoors } from '#app/operations.ts'
import { connect } from '#db/connect.ts'
import type { Sealed } from '#db/sealed-column.ts'
import { makeMemoryBus } from '#engines/memory-bus/memory-bus.ts'
import { makePgSignal } from '#engines/pg-signal/pg-signal.ts'
import { makeScriptRunner } from '#engines/script-vm/script-runner.ts'
import { withTags } from '#features/products/thing-model/model-store.ts'
import type { Signal, SignalMap, SignalName } from '#ports/signal.ts'
import { makeTestBackground } from '#testing/background.ts'
import { connectDevice, type DeviceKey } from '#testing/mqtt-device.ts'
import { uniqueText } from '#testing/people.ts'
import { said } from '#testing/said.ts'
import { makeScratchDatabase } from '#testing/scratch-database.ts'
import { testKeys } from '#testing/test-config.ts'
import { makeTestClock, type World } from '#testing/world.ts'
import { fullModel } from '#uplink/testing/full-product.ts'
import type { SceneFiring } from '../../engine/engine-types.ts'
import { SceneWatch } from '../watch.ts'

const secret = Buffer.from('0123456789abcdef').toString('base64')
const log = pino({ level: 'silent' })

export interface SceneDraft {
  trigger: unknown[]
  when?: unknown[]
  status?: number
}

export async function openWatchRoom() {
  const database = await makeScratchDatabase(inject('databaseUrl'), inject('migratedTemplate'))
  const connection = connect(database.url, () => undefined, 20, testKeys)
  const { db } = connection
  /** Servers that are open. */
  const hearers = new Set<{ signal: Signal; watch: SceneWatch }>()
  /** Told to each server itself, and taken over by all of them when this resolves. */
  async function tell<N extends SignalName>(name: N, notice: SignalMap[N]): Promise<void> {
    for (const { signal } of hearers) await signal.send(name, notice)
    for (const { watch } of hearers) await watch.settled()
  }
  const clock = makeTestClock()
  const dataDir = await mkdtemp(join(tmpdir(), 'ithings-watch-'))
  const closers: Array<() => Promise<void>> = []

  async function makeFullProduct(): Promise<string> {
    const productID = `P${uniqueText('').padStart(10, '0')}`
    await db
      .insertInto('product')
      .values({ product_id: productID, product_name: uniqueText('产品'), device_type: 1, secret: 'x' } as never)
      .execute()
    const { model } = readTslText(JSON.stringify(fullModel))
    await db
      .insertInto('product_function')
      .values(
        withTags(model, []).map(
          ({ type, tag, value }, position) =>
            ({
              product_id: productID,
              identifier: value.identifier,
              type,
              tag,
              position,
              definition: JSON.stringify(value),
            }) as never,
        ),
      )
      .execute()
    await tell('product.changed', { productID })
    return productID
  }

  async function makeDevice(productID: string): Promise<DeviceKey & { deviceID: number }> {
    const deviceName = uniqueText('device-')
    const row = await db
      .insertInto('device')
      .values({
        product_id: productID,
        device_name: deviceName,
        secret: secret as Sealed,
        phone: null,
        iccid: null,
        first_login: null,
        last_login: null,
      })
      .returning('device_id')
      .executeTakeFirstOrThrow()
    return { productID, deviceName, deviceID: row.device_id }
  }

  const textsOf = ({ trigger, when = [] }: SceneDraft) => {
    const parts = parseScene({
      triggerType: 'device',
      trigger: JSON.stringify({ device: trigger }),
      when: JSON.stringify(when),
      then: JSON.stringify([{ executor: 'alarm', alarm: { mode: 'trigger' } }]),
    })
    const texts = sceneTexts(parts)
    return { trigger: texts.trigger ?? '', conditions: texts.when ?? '', actions: texts.then ?? '' }
  }

  async function makeScene(draft: SceneDraft): Promise<number> {
    const { id } = await db
      .insertInto('scene')
      .values({ name: uniqueText('场景'), trigger_type: 'device', next_run_at: null, ...textsOf(draft) })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tell('scene.changed', { sceneID: id })
    return id
  }

  /** One more server on the database. */
  async function openServer({ alone = true } = {}) {
    const ends: Array<() => Promise<void>> = []
    const own = connect(database.url, () => undefined, 20, testKeys)
    ends.push(() => own.close())
    const ownSignal = makePgSignal(database.url, own.pool, () => undefined)
    await ownSignal.start()
    ends.push(() => ownSignal.stop())
    const faults: unknown[] = []
    const bus = makeMemoryBus((error) => faults.push(error))
    const scripts = makeScriptRunner()
    await scripts.start()
    ends.push(() => scripts.stop())
    const metrics = new Registry()
    const background = makeTestBackground(clock)
    const config = {
      ...readConfig({ CAPTCHA: 'off', HOST: '127.0.0.1', PORT: '0', MQTT_PORT: '0' }),
      dataDir: join(dataDir, uniqueText('server')),
      ...(!alone && { databaseUrl: database.url }),
    }
    const line = await openDeviceStack({
      operations: makeLateDoors().doors,
      schema: 0,
      config,
      databaseUrl: database.url,
      connection: own,
      clock,
      signal: ownSignal,
      bus,
      scripts,
      metrics,
      log,
      background,
      onLost: (error) => void faults.push(error),
      onClose: (close) => void ends.push(close),
    })
    const fired: SceneFiring[] = []
    /** Scenes whose running throws. */
    const broken = new Set<number>()
    const fire = (firing: SceneFiring) => {
      if (broken.has(firing.sceneID)) throw new Error('broken')
      fired.push(firing)
    }
    const { products, devices, latest, node, serverID } = line
    const watch = new SceneWatch({
      db: own.db,
      clock,
      signal: ownSignal,
      bus,
      log,
      background,
      metrics,
      products,
      devices,
      latest,
      runner: { fire, unstoredSince: () => undefined },
      node,
      serverID,
      alone,
    })
    await watch.start()
    const hearer = { signal: ownSignal, watch }
    hearers.add(hearer)
    await line.broker.start({ host: '127.0.0.1', port: 0 })
    let open = true
    const close = async ({ crash = false } = {}) => {
      if (!open) return
      open = false
      hearers.delete(hearer)
      // A server that dies does not tidy up its mark.
      const mark = crash
        ? await db.selectFrom('scene_checkpoint').selectAll().where('node', '=', node).executeTakeFirst()
        : undefined
      await watch.stop()
      if (mark) {
        const put = db.insertInto('scene_checkpoint').values(mark)
        await put.onConflict((conflict) => conflict.column('node').doUpdateSet(mark)).execute()
      }
      await line.broker.stop()
      for (const end of ends.reverse()) await end()
    }
    closers.push(close)
    const connectTo = (key: DeviceKey) => {
      const clientId = clientIDOf(key)
      const username = userNameOf(clientId, randomConnID(), Math.floor(clock.now() / 1000) + 86_400)
      const world = { app: { mqtt: line.broker.address() }, clock } as unknown as World
      return connectDevice(world, key, {
        clientId,
        username,
        password: passwordOf(username, secret, SignMethod.sha256),
      })
    }
    return {
      bus,
      line,
      watch,
      fired,
      broken,
      faults,
      metrics,
      close,
      connect: connectTo,
      firedBy: (sceneID: number) => fired.filter((one) => one.sceneID === sceneID),
      untilFired: (sceneID: number, times = 1) =>
        expect.poll(() => fired.filter((one) => one.sceneID === sceneID).length).toBe(times),
      async metric(name: string): Promise<number> {
        const [value] = (await metrics.getSingleMetric(name)?.get())?.values ?? []
        return value?.value ?? 0
      },
    }
  }

  return {
    db,
    url: database.url,
    clock,
    tell,
    makeFullProduct,
    makeDevice,
    makeScene,
    openServer,
    async editScene(id: number, draft: SceneDraft) {
      const row = await db.selectFrom('scene').select('rev').where('id', '=', id).executeTakeFirstOrThrow()
      await db
        .updateTable('scene')
        .set({ ...textsOf(draft), status: draft.status ?? 1, rev: row.rev + 1 })
        .where('id', '=', id)
        .execute()
      await tell('scene.changed', { sceneID: id })
    },
    missesOf: async (sceneID: number) =>
      said(await db.selectFrom('scene_miss').selectAll().where('scene_id', '=', sceneID).orderBy('miss_id').execute()),
    holdsOf: (sceneID: number) => db.selectFrom('scene_hold').selectAll().where('scene_id', '=', sceneID).execute(),
    async close() {
      for (const close of closers.reverse()) await close()
      await connection.close()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export type WatchRoom = Awaited<ReturnType<typeof openWatchRoom>>
export type WatchServer = Awaited<ReturnType<WatchRoom['openServer']>>

/** reportProperty of all devices of a product. */
export const reports = (
  productID: string,
  dataID: string | string[],
  termType?: string,
  values?: unknown,
  more: Record<string, unknown> = {},
) => {
  const { stateKeep, ...rest } = more
  return {
    productID,
    selector: 'all',
    operator: 'reportProperty',
    operationSchema: { dataID: [dataID].flat(), termType, values, stateKeep },
    ...rest,
  }
}
