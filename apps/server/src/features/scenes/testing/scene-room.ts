/** One server that runs scenes: a real database, the real line to devices, routes of scenes; only the clock is the test's. */

import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clientIDOf, passwordOf, randomConnID, SignMethod, userNameOf } from '@ithings/contract/device/credentials.ts'
import type { BodyInput, DataOf, Endpoint } from '@ithings/contract/endpoint.ts'
import { createScene, RunResult } from '@ithings/contract/features/scenes/info.ts'
import { listSceneLogs } from '@ithings/contract/features/scenes/log.ts'
import { functionsOf } from '@ithings/contract/thing-model/affordance.ts'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { expect, inject } from 'vitest'
import { readConfig } from '#app/config.ts'
import { openDeviceStack } from '#app/device-stack.ts'
import { makeLateDoors } from '#app/operations.ts'
import { makeBell } from '#background/bell.ts'
import { connect } from '#db/connect.ts'
import type { Db } from '#db/schema.ts'
import { open, places, seal } from '#db/sealed.ts'
import { makeSecret } from '#db/secrets.ts'
import { makeMemoryBus } from '#engines/memory-bus/memory-bus.ts'
import { makePgSignal } from '#engines/pg-signal/pg-signal.ts'
import { makeScriptRunner } from '#engines/script-vm/script-runner.ts'
import { makeAlarmDoor } from '#features/alarms/alarm-door.ts'
import { insertDevice } from '#features/devices/door.ts'
import { mount } from '#http/route.ts'
import { makeHttpServer } from '#http/server.ts'
import type { EventMap } from '#ports/event-bus.ts'
import { makeTestBackground } from '#testing/background.ts'
import { connectDevice, type DeviceKey } from '#testing/mqtt-device.ts'
import { uniqueText } from '#testing/people.ts'
import { makeScratchDatabase } from '#testing/scratch-database.ts'
import { testKeys } from '#testing/test-config.ts'
import { makeTestClock, type TestClock, type World } from '#testing/world.ts'
import type { AlarmDoor } from '../alarm-door.ts'
import type { SceneFiring } from '../engine/engine-types.ts'
import { scenesRoutes } from '../routes.ts'
import { RunningScenes } from '../run/runner.ts'
import type { RunLimits } from '../run/runner-deps.ts'
import { pumpModel } from './pump-model.ts'

export interface RoomOptions {
  /** Another server on the same database. */
  databaseUrl?: string
  clock?: TestClock
  limits?: Partial<RunLimits>
  /** Between scenes and the real alarms. */
  alarms?: (real: AlarmDoor) => AlarmDoor
  /** Nothing runs until the test says so. */
  idle?: boolean
}

const user = { userID: 1, userName: 'operator', role: 1, sid: 'sid', language: 'zh' as const }
const lookMs = 20

/** They belong to a feature above this one. */
const noAlarms = () => Promise.reject(new Error('there are no alarms in this room'))

export async function openSceneRoom(options: RoomOptions = {}) {
  const database = options.databaseUrl
    ? { url: options.databaseUrl, drop: async () => {} }
    : await makeScratchDatabase(inject('databaseUrl'), inject('migratedTemplate'))
  const { url } = database
  const clock = options.clock ?? makeTestClock()
  const closers: Array<() => Promise<void>> = []
  const onClose = (close: () => Promise<void>) => void closers.push(close)
  onClose(() => database.drop())
  const dataDir = await mkdtemp(join(tmpdir(), 'ithings-scenes-'))
  onClose(() => rm(dataDir, { recursive: true, force: true }))
  const config = { ...readConfig({ HOST: '127.0.0.1', PORT: '0', MQTT_PORT: '0' }), dataDir, databaseUrl: url }
  const log = pino({ level: 'silent' })
  const metrics = new Registry()
  const background = makeTestBackground(clock)
  const bus = makeMemoryBus((error) => {
    throw error
  })
  const connection = connect(url, () => {}, 20, testKeys)
  const { db } = connection
  onClose(() => connection.close())
  const signal = makePgSignal(url, connection.pool, () => {})
  await signal.start()
  onClose(() => signal.stop())
  const scripts = makeScriptRunner()
  await scripts.start()
  onClose(() => scripts.stop())
  const line = await openDeviceStack({
    ...{ operations: makeLateDoors().doors, schema: 0, config, databaseUrl: url, connection, clock },
    ...{ signal, bus, scripts, metrics, log, background },
    onLost: (error) => log.error({ err: error }, 'lost'),
    onClose,
  })
  await line.broker.start({ host: '127.0.0.1', port: 0 })
  onClose(() => line.broker.stop())

  const serverID = randomUUID()
  // As the heartbeat of presence does; a test that moves the clock does not make it look dead.
  await db
    .insertInto('platform_server')
    .values({ server_id: serverID, seen_at: clock.now() + 365 * 86_400_000 })
    .execute()
  const notify = { db, clock, bell: makeBell() }
  const realAlarms = makeAlarmDoor({ db, clock, bus, notify }, metrics)
  const ran: Array<EventMap['scene.ran']> = []
  bus.on('scene.ran', (event) => void ran.push(event))
  const { products, commands, latest } = line
  const runner = new RunningScenes({
    db,
    clock,
    bus,
    signal,
    log,
    background,
    metrics,
    serverID,
    products,
    latest,
    commands,
    notify,
    alarms: options.alarms?.(realAlarms) ?? realAlarms,
    // A test that is not about it does not wait for devices that are away.
    limits: { comeBackMs: 0, ...options.limits },
    lookMs,
  })
  if (!options.idle) await runner.start()
  onClose(() => runner.stop())

  const http = await makeHttpServer({ log, trustProxy: false, corsOrigins: [], tls: undefined })
  for (const route of scenesRoutes({
    db,
    clock,
    signal,
    products,
    runner,
    allows: async () => true,
    newAlarm: noAlarms,
  })) {
    mount(http, route, { identify: async () => ({ user }), allows: async () => true })
  }
  await http.ready()
  onClose(() => http.close())

  const call = async <E extends Endpoint>(endpoint: E, body: BodyInput<E> | Record<string, unknown>) => {
    const response = await http.inject({ method: 'POST', url: endpoint.path, payload: body as object })
    const { code, msg, data } = response.json()
    return { status: response.statusCode, code: code as number, msg: msg as string, data: data as DataOf<E> }
  }
  const ask = async <E extends Endpoint>(endpoint: E, body: BodyInput<E>): Promise<DataOf<E>> => {
    const { code, msg, data } = await call(endpoint, body as Record<string, unknown>)
    if (code !== 200) throw new Error(`${endpoint.path}: ${code} ${msg}`)
    return data
  }

  const room = {
    url,
    db,
    clock,
    bus,
    runner,
    metrics,
    serverID,
    line,
    latest,
    /** Everything that was told about runs. */
    ran,
    call,
    ask,
    product: () => makePumpProduct(db),
    device: (productID: string, deviceName?: string) => makePump(db, productID, deviceName),
    /** A real device with its own connection. */
    async connect(key: DeviceKey) {
      const device = await connectDevice(
        { app: { mqtt: line.broker.address() } } as World,
        key,
        await signIn(db, clock, key),
      )
      // Commands go to devices that are known to be there.
      await expect.poll(() => line.broker.sessionOf(key.productID, key.deviceName)).toBeDefined()
      return device
    },
    /** Of the scene, newest first. */
    logs: async (sceneID: number) => (await ask(listSceneLogs, { sceneID })).list,
    /** The newest log entry of the scene once its run is over. */
    async ended(sceneID: number) {
      const over = async () => {
        const [log] = await room.logs(sceneID)
        return log && log.result !== RunResult.running && log.result !== RunResult.waiting ? log : undefined
      }
      await expect.poll(over).toBeDefined()
      return (await room.logs(sceneID))[0] as NonNullable<Awaited<ReturnType<typeof over>>>
    },
    /** A manual scene with these actions; `fields` change it. */
    async scene(actions: unknown[], fields: Record<string, unknown> = {}) {
      const { id } = await ask(createScene, {
        name: uniqueText('场景 '),
        triggerType: 'manual',
        then: JSON.stringify(actions),
        ...fields,
      } as BodyInput<typeof createScene>)
      return id
    },
    async close() {
      for (const close of closers.splice(0).reverse()) await close()
    },
  }
  return room
}
export type SceneRoom = Awaited<ReturnType<typeof openSceneRoom>>

async function makePumpProduct(db: Db): Promise<string> {
  const productID = `P${uniqueText('').padStart(10, '0')}`
  await db
    .insertInto('product')
    .values({
      product_id: productID,
      product_name: `水泵 ${productID}`,
      secret: seal(db, places.product(productID), makeSecret()),
    })
    .execute()
  const rows = functionsOf(pumpModel).map(({ type, value }, position) => ({
    product_id: productID,
    identifier: value.identifier,
    type,
    position,
    definition: JSON.stringify(value),
  }))
  await db.insertInto('product_function').values(rows).execute()
  return productID
}

async function makePump(db: Db, productID: string, deviceName = uniqueText('pump-')) {
  await insertDevice(db, {
    product_id: productID,
    device_name: deviceName,
    secret: makeSecret(),
    phone: null,
    iccid: null,
    first_login: null,
    last_login: null,
  })
  const { device_id } = await db
    .selectFrom('device')
    .select('device_id')
    .where('product_id', '=', productID)
    .where('device_name', '=', deviceName)
    .executeTakeFirstOrThrow()
  return { productID, deviceName, deviceID: device_id }
}

async function signIn(db: Db, clock: TestClock, key: DeviceKey) {
  const { secret } = await db
    .selectFrom('device')
    .select('secret')
    .where('product_id', '=', key.productID)
    .where('device_name', '=', key.deviceName)
    .executeTakeFirstOrThrow()
  const clientId = clientIDOf(key)
  const username = userNameOf(clientId, randomConnID(), Math.floor(clock.now() / 1000) + 86_400)
  return {
    clientId,
    username,
    password: passwordOf(username, open(db, places.device(key.productID, key.deviceName), secret), SignMethod.sha256),
  }
}

/** Something started the scene, as whoever watches devices tells it. */
export const firingOf = (sceneID: number, fields: Partial<SceneFiring> = {}): SceneFiring => ({
  sceneID,
  cause: `test:${randomUUID()}`,
  device: undefined,
  triggerText: '温度 > 80 ℃',
  seen: { dataID: 'temp', value: '83.6 ℃', threshold: ['80'] },
  conditions: [],
  traceID: '',
  firedAt: Date.now(),
  depth: 0,
  userName: '',
  ...fields,
})

/** Steps of a plan as people write them. */
export const steps = {
  delay: (seconds: number, more = {}) => ({ executor: 'delay', delay: { time: seconds, unit: 'seconds' }, ...more }),
  set: (device: Record<string, unknown>, value: unknown, more = {}) => ({
    executor: 'device',
    device: { type: 'propertyControl', dataID: '', value: JSON.stringify(value), ...device },
    ...more,
  }),
  invoke: (device: Record<string, unknown>, dataID: string, inputs: unknown) => ({
    executor: 'device',
    device: { type: 'action', dataID, value: JSON.stringify(inputs), ...device },
  }),
  raise: (more = {}) => ({ executor: 'alarm', alarm: { mode: 'trigger' }, ...more }),
  clear: { executor: 'alarm', alarm: { mode: 'relieve' } },
  run: (sceneID: number) => ({ executor: 'scene', scene: { sceneID } }),
  notify: (notify: Record<string, unknown>) => ({ executor: 'notify', notify }),
}
