/** Setting properties and calling actions of devices (rules.md 4): sent and not waited for; a failure stops nobody. */

import { AppError, errors, refusal } from '@ithings/contract/errors.ts'
import type { DeviceKey } from '@ithings/contract/features/devices/info.ts'
import type { LoggedAction } from '@ithings/contract/features/scenes/log.ts'
import type { DeviceOutput } from '@ithings/contract/rules/scene-parts.ts'
import { kept } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import { sendActionTo, sendPropertyTo } from '#features/commands/door.ts'
import { groupWithChildren } from '#features/devices/door.ts'
import type { Clock } from '#ports/clock.ts'
import type { EventBus } from '#ports/event-bus.ts'
import type { OpenRun } from '../open-run.ts'
import { success } from '../summarise.ts'
import { type ActionDeps, type ActionOutcome, asAppError, failed, noteFirst } from './action-deps.ts'

/** Resolves when the device is there, or when the time has come. */
function waitForDevice(
  { bus, clock }: { bus: EventBus; clock: Clock },
  { productID, deviceName }: DeviceKey,
  until: number,
): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      end()
      resolve()
    }
    const end = bus.on('device.presence', ({ device, online }) => {
      if (online && device.deviceName === deviceName && device.productID === productID) finish()
    })
    const timer = setTimeout(finish, Math.max(0, until - clock.now()))
  })
}

type LoggedDevice = LoggedAction['devices'][number]

/** Names that the log of one step keeps; failures before successes. */
const logged = 200
const pageSize = 500

/** Page by page: a product may have any number of devices. */
async function* namesOf({ db }: ActionDeps, output: DeviceOutput): AsyncGenerator<string[]> {
  const { productID, selector, selectorValues } = output
  const groups = selector === 'group' ? await groupWithChildren(db, Number(selectorValues?.[0] ?? 0)) : []
  if (selector === 'group' && groups.length === 0) {
    throw refusal(errors.notFound, '分组 {groupID} 不存在', { groupID: selectorValues?.[0] })
  }
  const members =
    selector === 'group'
      ? sql`and device_id in (select device_id from group_device where group_id = any(${groups}::bigint[]))`
      : sql``
  for (let last = 0; ; ) {
    const { rows } = await sql<{ device_id: number; device_name: string }>`
      select device_id, device_name from device where product_id = ${productID} and device_id > ${last} ${members}
      order by device_id limit ${pageSize}`.execute(db)
    if (rows.length > 0) yield rows.map((row) => row.device_name)
    last = rows.at(-1)?.device_id ?? 0
    if (rows.length < pageSize) return
  }
}

async function* targetsOf(deps: ActionDeps, run: OpenRun, output: DeviceOutput): AsyncGenerator<string[]> {
  if (output.selector === 'fixed') yield [...new Set(output.selectorValues ?? [])]
  else if (output.selector === 'trigger') {
    if (!run.device) throw refusal(errors.parameter, '没有触发设备')
    if (run.device.productID !== output.productID) {
      throw refusal(errors.parameter, '触发设备不属于产品 {productID}', { productID: output.productID })
    }
    yield [run.device.deviceName]
  } else yield* namesOf(deps, output)
}

interface Sent extends LoggedDevice {
  msg: string
}

async function send(deps: ActionDeps, run: OpenRun, output: DeviceOutput, deviceName: string): Promise<Sent> {
  const key = { productID: output.productID, deviceName }
  const values = JSON.parse(output.value)
  const options = { source: 'scene', isAsync: true, userName: run.userName } as const
  try {
    const { clientToken, code, msg } =
      output.type === 'action'
        ? await sendActionTo(deps.commands, key, { actionID: output.dataID, inputs: values }, options)
        : await sendPropertyTo(deps.commands, key, values, options)
    noteFirst(deps, run)
    return { ...key, code, clientToken, msg }
  } catch (error) {
    const known = asAppError(error)
    if (known !== error) deps.log.error({ err: error, ...key, runID: run.runID }, 'a command of a scene failed')
    return { ...key, code: known.code, clientToken: '', msg: known.kept() }
  }
}

/** A server that has just started goes on with what it was at, but its devices are still on their way back. */
async function sendPatiently(deps: ActionDeps, run: OpenRun, output: DeviceOutput, deviceName: string): Promise<Sent> {
  const sent = await deps.sends.use(() => send(deps, run, output, deviceName))
  const until = deps.patientUntil()
  if (sent.code !== errors.notOnline.code || !run.patient || deps.clock.now() >= until) return sent
  await waitForDevice(deps, { productID: output.productID, deviceName }, until)
  return deps.sends.use(() => send(deps, run, output, deviceName))
}

const isFine = ({ code }: Sent) => code === 0 || code === success

/** Never holds more than the log keeps, however many devices there are. */
function makeTally() {
  const fine: Sent[] = []
  const bad: Sent[] = []
  let [total, failures] = [0, 0]
  return {
    add(sent: Sent) {
      total += 1
      if (!isFine(sent)) failures += 1
      const list = isFine(sent) ? fine : bad
      if (list.length < logged) list.push(sent)
    },
    outcome(): ActionOutcome {
      const shown = [...bad, ...fine].slice(0, logged)
      const devices = shown.map(({ productID, deviceName, code, clientToken }) => ({
        productID,
        deviceName,
        code,
        clientToken,
      }))
      const [first] = bad
      if (total === 0) return { ok: true, code: success, msg: kept('没有符合的设备'), devices }
      if (!first) {
        const [only] = fine
        const msg = total === 1 ? only?.msg || kept('已下发') : kept('已下发 {count} 台', { count: total })
        return { ok: true, code: success, msg, devices }
      }
      const { deviceName, msg: why } = first
      const msg =
        total === 1
          ? why
          : kept('{count} 台中 {failures} 台失败：{deviceName} {why}', { count: total, failures, deviceName, why })
      return { ok: false, code: first.code, msg, devices }
    },
  }
}

export async function runDevice(deps: ActionDeps, run: OpenRun, output: DeviceOutput): Promise<ActionOutcome> {
  const tally = makeTally()
  try {
    for await (const names of targetsOf(deps, run, output)) {
      await Promise.all(names.map((name) => sendPatiently(deps, run, output, name).then((sent) => tally.add(sent))))
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return failed(error)
  }
  return tally.outcome()
}
