/** Lamps that answer by themselves, and tasks for them, over the whole app. */
import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { readDevice } from '@ithings/contract/features/devices/info.ts'
import { listTaskDevices, listTaskRuns } from '@ithings/contract/features/task-results.ts'
import {
  createTask,
  type DeployStatus,
  readTask,
  TaskSchedule,
  TaskTarget,
  TaskType,
} from '@ithings/contract/features/tasks.ts'
import { expect } from 'vitest'
import { makeLampProduct } from '#features/commands/testing/commands-server.ts'
import { makeDevice } from '#features/devices/testing/make-devices.ts'
import { connectDevice, type DeviceKey, type Message, type TestDevice } from '#testing/mqtt-device.ts'
import { uniqueText } from '#testing/people.ts'
import { openWorld, type World, type WorldOptions } from '#testing/world.ts'

/** What a lamp does with a command; undefined: it keeps silent. */
export type Manners = (message: Message) => { code: number; msg?: string; data?: unknown } | undefined
export const obeys: Manners = () => ({ code: 200 })
export const refuses: Manners = () => ({ code: 430, msg: '灯泡已坏' })
export const silent: Manners = () => undefined

export interface Lamp extends TestDevice {
  /** Commands that came. */
  heard: Message[]
  manners: Manners
}

type TaskFields = Partial<BodyInput<typeof createTask>>

export interface TaskRoom {
  world: World
  productID: string
  /** A device that is not connected. */
  device(): Promise<DeviceKey>
  /** One that is, and answers. */
  lamp(manners?: Manners, at?: World): Promise<Lamp>
  connect(key: DeviceKey, manners?: Manners, at?: World): Promise<Lamp>
  /** Sets power of the devices, at once, unless told otherwise. */
  create(devices: Array<DeviceKey | Lamp>, fields?: TaskFields): Promise<number>
  /** What would be created. */
  body(devices: Array<DeviceKey | Lamp>, fields?: TaskFields): BodyInput<typeof createTask>
  task(taskID: number): Promise<Awaited<ReturnType<typeof read>>>
  rows(taskID: number, runID?: string): Promise<Awaited<ReturnType<typeof devicesOf>>>
  runs(taskID: number): Promise<Awaited<ReturnType<typeof runsOf>>>
  /** Waits until the task has this status. */
  until(taskID: number, status: DeployStatus): Promise<void>
  leaveAll(): Promise<void>
  close(): Promise<void>
}

const patienceMs = 120_000

const read = (world: World, taskID: number) => world.asAdmin(readTask, { taskID })
const devicesOf = async (world: World, taskID: number, runID = '') =>
  (await world.asAdmin(listTaskDevices, { taskID, runID })).list
const runsOf = async (world: World, taskID: number) => (await world.asAdmin(listTaskRuns, { taskID })).list

const keyOf = (one: DeviceKey | Lamp): DeviceKey => ('key' in one ? one.key : one)

/** Tests go days ahead and stay signed in. */
export const tokenLifeSeconds = 30 * 86_400

export async function openTaskRoom({ config, ...options }: WorldOptions = {}): Promise<TaskRoom> {
  const world = await openWorld({ ...options, config: { tokenLifeSeconds, ...config } })
  // The platform is no longer waiting for its devices to come back (task-work.ts).
  world.clock.advance(patienceMs)
  const productID = await makeLampProduct(world)
  const lamps: Lamp[] = []

  const room: TaskRoom = {
    world,
    productID,
    device: () => makeDevice(world, productID),
    async lamp(manners = obeys, at = world) {
      return room.connect(await room.device(), manners, at)
    },
    async connect(key, manners = obeys, at = world) {
      const device = await connectDevice(at, key)
      const lamp: Lamp = Object.assign(device, { heard: [], manners })
      lamps.push(lamp)
      device.client.on('message', (topic, payload) => {
        const message: Message = JSON.parse(payload.toString())
        if (message.method !== 'control' && message.method !== 'action') return
        lamp.heard.push(message)
        const answer = lamp.manners(message)
        if (!answer) return
        const path = topic.startsWith('$thing/down/action') ? 'thing/action' : 'thing/property'
        const reply = { method: `${message.method}_reply`, clientToken: message.clientToken, ...answer }
        void lamp.publish(path, reply).catch(() => {})
      })
      await expect.poll(async () => (await at.asAdmin(readDevice, key)).isOnline).toBe(1)
      return lamp
    },
    body: (devices, fields = {}) => ({
      taskName: uniqueText('任务'),
      taskType: TaskType.property,
      productID,
      targetType: TaskTarget.devices,
      deviceNames: devices.map((one) => keyOf(one).deviceName),
      data: JSON.stringify({ power: 1 }),
      scheduleType: TaskSchedule.now,
      timeout: 30,
      rate: 6_000,
      ...fields,
    }),
    async create(devices, fields) {
      return (await world.asAdmin(createTask, room.body(devices, fields))).taskID
    },
    task: (taskID) => read(world, taskID),
    rows: (taskID, runID) => devicesOf(world, taskID, runID),
    runs: (taskID) => runsOf(world, taskID),
    async until(taskID, status) {
      await expect.poll(async () => (await read(world, taskID)).status).toBe(status)
    },
    async leaveAll() {
      for (const lamp of lamps.splice(0)) await lamp.end()
    },
    async close() {
      await room.leaveAll()
      await world.close()
    },
  }
  return room
}
