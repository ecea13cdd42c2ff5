/** An upgrade of all devices that goes on while the parts of the cell fail: who was told, how often, and how it ended. */
import { createFirmware } from '@ithings/contract/features/ota/firmware.ts'
import { isOtaOpen, OtaStatus } from '@ithings/contract/features/ota/states.ts'
import { createOtaTask } from '@ithings/contract/features/ota/task.ts'
import type pg from 'pg'
import { vi } from 'vitest'
import { uploadPackage } from '../load/packages.ts'
import type { Reporter } from '../load/reporter.ts'
import { openSession } from '../platform.ts'

const versions = { before: '1.0.0', after: '2.0.0' }
/** A push that was lost with its server is made again after this time, and so often. */
const patience = { timeoutInMinutes: 1, retryCount: 3, retryInterval: 0 }

/** From when nothing fails any more; a push that was lost at the last moment waits for its time and its turn. */
const endsWithin = { timeout: 480_000, interval: 200 }

/** A device tells its version, and takes what it is pushed. @returns the tokens of the pushes: one sent again has the same */
function answerUpgrades({ client, name }: Reporter, productID: string): Set<string> {
  const pushes = new Set<string>()
  const own = `${productID}/${name}`
  let sent = 0
  const tell = (type: 'report' | 'progress', params: Record<string, unknown>) => {
    const method = type === 'report' ? 'reportInfo' : 'progress'
    const message = { method, clientToken: `${name}-ota-${sent++}`, params: { module: 'default', ...params } }
    client.publish(`$ota/up/${type}/${own}`, JSON.stringify(message), { qos: 1 })
  }
  const listen = () => client.subscribe(`$ota/down/upgrade/${own}`, { qos: 1 })
  client.on('connect', listen)
  if (client.connected) listen()
  client.on('message', (topic, payload) => {
    if (!topic.startsWith('$ota/down/upgrade/')) return
    const { clientToken, data } = JSON.parse(payload.toString())
    if (data?.version !== versions.after) return
    pushes.add(clientToken)
    tell('progress', { id: data.id, step: 50, desc: '下载中' })
    tell('report', { version: versions.after })
  })
  tell('report', { version: versions.before })
  return pushes
}

export interface Upgraded {
  /** Rows of the task, one a device. */
  devices: number
  succeeded: number
  /** As the task itself counts them. */
  counted: number
  notTold: number
  /** Devices that were pushed more often than the task has tried. */
  tooMany: number
  /** Tries beyond the first, which a lost push needs. */
  retries: number
}

export interface Upgrade {
  /** Waits until no device is open any more. */
  end(): Promise<Upgraded>
}

export async function beginUpgrade(
  origin: string,
  productID: string,
  { reporters, perMinute }: { reporters: Reporter[]; perMinute: number },
  openDatabase: () => Promise<pg.Client>,
): Promise<Upgrade> {
  const pushes = new Map(reporters.map((one) => [one.name, answerUpgrades(one, productID)]))
  const { post, token } = await openSession(origin)
  const file = await uploadPackage({ origin, token }, 'chaos.bin', 64 * 1024)
  const { firmwareID } = await post(createFirmware.path, {
    ...{ name: '固件', productID, version: versions.after },
    files: [{ ...file, name: 'chaos.bin' }],
  })
  const plan = { firmwareID, type: 1, upgradeType: 1, maximumPerMinute: perMinute, ...patience }
  const { taskID } = await post(createOtaTask.path, plan)

  interface Row {
    name: string
    status: number
    attempts: number
    counted: number
    done: boolean
  }
  const readRows = async (database: pg.Client) => {
    const { rows } = await database.query<Row>(
      `select one.device_name as name, one.status, one.attempts, run.success as counted, run.state = 3 as done
       from ota_task join rollout run using (run_id) join rollout_device one using (run_id) where task_id = $1`,
      [taskID],
    )
    return rows
  }
  return {
    async end() {
      const database = await openDatabase()
      try {
        const rows = await vi.waitFor(async () => {
          const found = await readRows(database)
          const open = found.filter(({ status }) => isOtaOpen(status as OtaStatus))
          if (!found[0]?.done) throw new Error(`the upgrade is not over: ${JSON.stringify(open)}`)
          return found
        }, endsWithin)
        const toldTo = ({ name }: Row) => pushes.get(name)?.size ?? 0
        return {
          devices: rows.length,
          succeeded: rows.filter(({ status }) => status === OtaStatus.success).length,
          counted: Number(rows[0]?.counted),
          notTold: rows.filter((row) => toldTo(row) === 0).length,
          tooMany: rows.filter((row) => toldTo(row) > row.attempts).length,
          retries: rows.reduce((sum, { attempts }) => sum + attempts - 1, 0),
        }
      } finally {
        await database.end()
      }
    },
  }
}
