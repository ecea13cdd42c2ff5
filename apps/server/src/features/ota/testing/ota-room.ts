/** Packages, tasks and real devices for the room tests of upgrades. */
import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { readDevice } from '@ithings/contract/features/devices/info.ts'
import { listOtaDevices } from '@ithings/contract/features/ota/device.ts'
import { createOtaTask, readOtaTask } from '@ithings/contract/features/ota/task.ts'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { makeDevice, makeProduct } from '#features/devices/testing/make-devices.ts'
import { connectDevice, type DeviceKey, type Message, type TestDevice } from '#testing/mqtt-device.ts'
import type { World } from '#testing/world.ts'

export interface FirmwareFields {
  version?: string
  module?: number
  isDiff?: number
  srcVersion?: string
  extData?: string
}

/** As an upload leaves it; tests of uploads are in firmware/. */
export async function addFirmware(world: World, productID: string, fields: FirmwareFields = {}): Promise<number> {
  const { version = '2.0.0', module = 3, isDiff = 1, srcVersion = '', extData = '' } = fields
  const { firmware_id: firmwareID } = await world.db
    .insertInto('firmware')
    .values({
      product_id: productID,
      name: `固件 ${version}`,
      version,
      module,
      is_diff: isDiff,
      src_version: srcVersion,
      sign_method: 'sha256',
      ext_data: extData,
      size: 3,
      deleted_at: null,
    })
    .returning('firmware_id')
    .executeTakeFirstOrThrow()
  await world.db
    .insertInto('firmware_file')
    .values({
      firmware_id: firmwareID,
      path: 'ota/a.bin',
      name: 'a.bin',
      size: 3,
      md5: 'm'.repeat(32),
      sha256: 's'.repeat(64),
    })
    .execute()
  return firmwareID
}

type TaskFields = Partial<BodyInput<typeof createOtaTask>> & { firmwareID: number }
/** Quick: everything that is allowed is pushed at once. */
export const plan = (fields: TaskFields) => ({ type: 1, upgradeType: 1, maximumPerMinute: 60_000, ...fields }) as const

export interface OtaRoom {
  world: World
  productID: string
  firmwareID: number
  /** A device that is connected and, unless version is '', has reported it. */
  device(fields?: { version?: string; module?: string; deviceName?: string }): Promise<OtaDevice>
  offlineDevice(): Promise<DeviceKey>
  connect(key: DeviceKey, world?: World): Promise<OtaDevice>
  task(fields?: Partial<TaskFields>): Promise<{ taskID: number; taskUid: string }>
  /** Rows of a task by device name. */
  rows(taskUid: string): Promise<Map<string, OtaRow>>
  read(taskID: number): ReturnType<typeof readTask>
  untilStatus(taskUid: string, deviceName: string, status: number): Promise<OtaRow>
  untilTask(taskID: number, want: Record<string, unknown>): Promise<void>
  close(): Promise<void>
}
type OtaRow = Awaited<ReturnType<typeof listRows>>[number]
const listRows = async (world: World, taskUid: string) => (await world.asAdmin(listOtaDevices, { taskUid })).list
const readTask = (world: World, taskID: number) => world.asAdmin(readOtaTask, { taskID })

export interface OtaDevice extends TestDevice {
  report(version: string, module?: string): Promise<void>
  /** The next upgrade info: its data. */
  upgrade(): Promise<Message>
  step(step: number, more?: Message): Promise<Message>
  /** Upgrade infos that came and were not taken. */
  waitingInfos(): number
}

let tokens = 0

function asOta(device: TestDevice): OtaDevice {
  return Object.assign(device, {
    report: (version: string, module = 'default') =>
      device.publish('ota/report', { method: 'reportInfo', clientToken: `v${++tokens}`, params: { version, module } }),
    upgrade: async () => (await device.next('ota/upgrade')).data as Message,
    step: (step: number, more: Message = {}) =>
      device.ask('ota/progress', { method: 'report', params: { step, module: 'default', ...more } }),
    waitingInfos: () => device.received.filter(({ topic }) => topic.includes('/upgrade/')).length,
  })
}

/**
 * The database says when a device came, and the clock of the database does not go on with that of the test: so it is told
 * the time. Were it put right afterwards, a probation could have ended meanwhile.
 */
async function makeTold({ db }: World): Promise<void> {
  await sql`
    create table if not exists told_time (at timestamptz);
    create or replace function tell_time() returns trigger language plpgsql as $$ begin
      new.last_login := (select max(at) from told_time);
      return new;
    end $$;
    create or replace trigger tell_time before update of last_login on device
      for each row when (new.last_login is distinct from old.last_login) execute function tell_time()`.execute(db)
}

const tell = ({ db, clock }: World) =>
  sql`insert into told_time values (${new Date(clock.now())}::timestamptz)`.execute(db)

/** A room with a product and a package of version 2.0.0. */
export async function openOtaRoom(world: World): Promise<OtaRoom> {
  await makeTold(world)
  const productID = await makeProduct(world)
  const firmwareID = await addFirmware(world, productID)
  const connected: TestDevice[] = []

  const connect = async (key: DeviceKey, at = world) => {
    const own = `${key.productID}/${key.deviceName}`
    await tell(world)
    const device = await connectDevice(at, key, { subscribe: [`$ota/down/+/${own}`, `$ext/down/+/${own}`] })
    connected.push(device)
    await expect.poll(async () => (await world.asAdmin(readDevice, key)).isOnline).toBe(1)
    return asOta(device)
  }

  const room: OtaRoom = {
    world,
    productID,
    firmwareID,
    connect,
    async device({ version = '1.0.0', module, deviceName } = {}) {
      const device = await connect(await makeDevice(world, productID, deviceName ? { deviceName } : {}))
      if (version !== '') await device.report(version, module)
      return device
    },
    offlineDevice: () => makeDevice(world, productID),
    task: (fields = {}) => world.asAdmin(createOtaTask, plan({ firmwareID, ...fields })),
    rows: async (taskUid) => new Map((await listRows(world, taskUid)).map((row) => [row.deviceName, row])),
    read: (taskID) => readTask(world, taskID),
    async untilStatus(taskUid, deviceName, status) {
      const find = async () => (await room.rows(taskUid)).get(deviceName)
      await expect.poll(async () => (await find())?.status).toBe(status)
      return (await find()) as OtaRow
    },
    async untilTask(taskID, want) {
      await expect.poll(() => readTask(world, taskID)).toMatchObject(want)
    },
    async close() {
      for (const device of connected.splice(0)) await device.end()
    },
  }
  return room
}
