/** Alarms on a scratch database, reached over HTTP like everybody reaches them, and by the door that scenes use. */

import type { BodyInput, DataOf, Endpoint } from '@ithings/contract/endpoint.ts'
import { createAlarm, linkScenes } from '@ithings/contract/features/alarms/config.ts'
import { type AlarmRecord, listAlarmRecords } from '@ithings/contract/features/alarms/record.ts'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { makeBell } from '#background/bell.ts'
import { type Connection, connect } from '#db/connect.ts'
import { makeMemoryBus } from '#engines/memory-bus/memory-bus.ts'
import { makePgSignal } from '#engines/pg-signal/pg-signal.ts'
import type { AlarmDoor, RaisingRun } from '#features/scenes/door.ts'
import { AccessCache } from '#features/users/access-cache.ts'
import { loadKey } from '#features/users/platform-key.ts'
import { makeTokens } from '#features/users/token.ts'
import { mount } from '#http/route.ts'
import { makeHttpServer } from '#http/server.ts'
import type { EventMap } from '#ports/event-bus.ts'
import { uniqueText } from '#testing/people.ts'
import { checkResponse } from '#testing/response-check.ts'
import { testKeys } from '#testing/test-config.ts'
import { makeTestClock, openWorld, type World } from '#testing/world.ts'
import { makeAlarmDoor } from '../alarm-door.ts'
import type { AlarmsDeps } from '../alarms-deps.ts'
import { alarmsRoutes } from '../routes.ts'

export interface Answer<E extends Endpoint> {
  status: number
  code: number
  msg: string
  data: DataOf<E>
}

export interface AlarmRoom {
  world: World
  deps: AlarmsDeps
  door: AlarmDoor
  changes: Array<EventMap['alarm.changed']>
  /** How often the outbox was woken. */
  rings: () => number
  call<E extends Endpoint>(endpoint: E, body: unknown, token?: string): Promise<Answer<E>>
  asAdmin<E extends Endpoint>(endpoint: E, body: BodyInput<E>): Promise<DataOf<E>>
  close(): Promise<void>
}

function makeDeps(world: World, { db }: Connection) {
  const changes: Array<EventMap['alarm.changed']> = []
  const bus = makeMemoryBus((error) => {
    throw error
  })
  bus.on('alarm.changed', (event) => void changes.push(event))
  const bell = makeBell()
  let rung = 0
  bell.onRing(() => void rung++)
  const { clock } = world
  const deps: AlarmsDeps = { db, clock, bus, notify: { db, clock, bell } }
  return { deps, changes, rings: () => rung }
}

function makeCall(http: FastifyInstance, world: World): AlarmRoom['call'] {
  return async (endpoint, body, token = world.admin) => {
    const response = await http.inject({
      method: 'POST',
      url: endpoint.path,
      headers: { 'content-type': 'application/json', ...(token ? { 'iThings-token': token } : {}) },
      payload: JSON.stringify(body),
    })
    const parsed = response.json()
    checkResponse(endpoint.path, response.statusCode, parsed)
    return { status: response.statusCode, ...parsed }
  }
}

/** @param world of another room: a second server on the same database */
export async function openAlarms(other?: World): Promise<AlarmRoom> {
  // The app tells of standing alarms every few seconds; by its own clock none of the test's is due.
  const world = other ?? { ...(await openWorld()), clock: makeTestClock() }
  const { clock } = world
  const connection = connect(world.url, () => undefined, 20, testKeys)
  const signal = makePgSignal(world.url, connection.pool, () => undefined)
  await signal.start()
  const tokens = makeTokens(await loadKey(connection.db, 'token'), clock, 3600)
  const gate = new AccessCache({ db: connection.db, clock, signal, tokens })
  await gate.start()
  const { deps, changes, rings } = makeDeps(world, connection)
  const log = pino({ level: 'silent' })
  const http = await makeHttpServer({ log, trustProxy: false, corsOrigins: [], tls: undefined })
  for (const route of alarmsRoutes(deps)) mount(http, route, gate)
  await http.ready()
  const call = makeCall(http, world)
  return {
    world,
    deps,
    door: makeAlarmDoor(deps, new Registry()),
    changes,
    rings,
    call,
    async asAdmin(endpoint, body) {
      const answer = await call(endpoint, body)
      if (answer.code !== 200) throw new Error(`${endpoint.path}: ${answer.code} ${answer.msg}`)
      return answer.data
    },
    async close() {
      await http.close()
      await signal.stop()
      await connection.close()
      if (!other) await world.close()
    },
  }
}

const alarmAction = (mode: string) => ({ executor: 'alarm', alarm: { mode }, delay: null, device: null })

export async function makeScene(room: AlarmRoom, mode: 'trigger' | 'relieve' | 'neither' = 'trigger'): Promise<number> {
  const actions = mode === 'neither' ? [] : [alarmAction(mode)]
  const row = await room.world.db
    .insertInto('scene')
    .values({
      name: uniqueText('场景'),
      trigger_type: 'device',
      trigger: '{}',
      conditions: '[]',
      actions: JSON.stringify(actions),
      next_run_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export async function makeChannel(room: AlarmRoom): Promise<number> {
  const row = await room.world.db
    .insertInto('notify_channel')
    .values({ name: uniqueText('渠道'), type: 'webhook', settings: JSON.stringify({ url: 'http://127.0.0.1:9/' }) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** An enabled alarm that scenes raise. */
export async function makeAlarm(
  room: AlarmRoom,
  sceneIDs: number[],
  fields: Partial<BodyInput<typeof createAlarm>> = {},
): Promise<number> {
  const { id } = await room.asAdmin(createAlarm, { name: uniqueText('告警'), level: 3, ...fields })
  await room.asAdmin(linkScenes, { alarmID: id, sceneIDs })
  return id
}

let runs = 0
export const pump = { productID: 'P1', deviceName: 'pump-1', deviceID: 1 }

export const runOf = (sceneID: number, fields: Partial<RaisingRun> = {}): RaisingRun => ({
  runID: ++runs,
  sceneID,
  sceneName: `场景 ${sceneID}`,
  device: pump,
  // As the engine says it: the trigger of the scene, and apart from it what was seen.
  triggerText: '温度 > 80 ℃',
  seen: { dataID: 'temperature', value: '85 ℃', threshold: ['80'] },
  conditions: [{ text: '压力 > 1', value: '2', ok: true, level: 0 }],
  traceID: 'trace-1',
  firedAt: Date.now(),
  ...fields,
})

export async function onlyRecord(room: AlarmRoom, alarmID: number): Promise<AlarmRecord> {
  const { list, total } = await room.asAdmin(listAlarmRecords, { alarmID })
  const [record] = list
  if (!record || total !== 1) throw new Error(`${total} records instead of one`)
  return record
}
