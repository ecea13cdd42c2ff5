import { AppError, errors } from '@ithings/contract/errors.ts'
import { kept } from '@ithings/contract/text.ts'
import type { JobContext, JobKind } from '#features/jobs/door.ts'
import type { SignedInUser } from '#http/request-context.ts'
import type { DemoDeps, Loading } from './demo-deps.ts'
import { demoDevices } from './fleet/devices.ts'
import { loadKind, removeKind } from './job-names.ts'
import { makeDevices } from './make/devices.ts'
import { makeFigures, settleFigures } from './make/figures.ts'
import { makeGroups } from './make/groups.ts'
import { makeHistory } from './make/history.ts'
import { makeOperations } from './make/operations.ts'
import { makeProducts } from './make/products.ts'
import { makeRecords } from './make/records.ts'
import { makeRules } from './make/rules.ts'
import { removeFleet } from './remove-fleet.ts'
import { beginRemoving, claimLoading, claimRemoving, refuseUnwanted } from './start-demo.ts'
import { wordsFor } from './words.ts'

/** The loading, step by step; each is done when the next begins, and all of them can be taken away again. */
type Progress = (done: number, total: number) => Promise<void>

const historyPortion = 20

/** Virtual devices begin to play when all the rest is there. */
async function goLive({ db, signal }: DemoDeps, deviceIDs: number[], productIDs: string[]): Promise<void> {
  await db.updateTable('device').set({ is_simulated: 1 }).where('device_id', 'in', deviceIDs).execute()
  for (const productID of productIDs) await signal.send('device.changed', { productID, deviceName: '' })
}

async function loadFleet(loading: Loading, progress: Progress): Promise<object> {
  const { deps, now } = loading
  const planned = demoDevices(loading.user.language)
  const portions = Math.ceil(planned.length / historyPortion)
  const total = 8 + portions
  let done = 0
  const step = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work
    await progress(++done, total)
    return result
  }
  await progress(0, total)
  await step(makeProducts(loading))
  const devices = await step(makeDevices(loading, planned))
  const groups = await step(makeGroups(loading, devices))
  for (let at = 0; at < devices.length; at += historyPortion) {
    await step(makeHistory(loading, devices.slice(at, at + historyPortion)))
  }
  const rules = await step(makeRules(loading, groups))
  await step(makeRecords(loading, devices, rules))
  await step(makeOperations(loading, devices))
  await makeFigures(loading, devices)
  const live = devices.filter(({ planned: { state } }) => state === 'live')
  const liveIDs = live.map(({ deviceID }) => deviceID)
  await goLive(deps, liveIDs, [...new Set(live.map(({ planned: { product } }) => product.productID))])
  await deps.db.updateTable('demo').set({ complete: true, loaded_at: now }).execute()
  await step(settleFigures(loading, liveIDs))
  await progress(total, total)
  deps.bus.emit('alarm.changed', { recordIDs: [], opened: false })
  deps.bus.emit('home.changed', {})
  return { devices: devices.length }
}

const deadlineSeconds = 900

const userOf = ({ userID, userName, language }: JobContext<object>): SignedInUser => ({
  userID,
  userName,
  role: 1,
  sid: '',
  language,
})

async function isCancelled({ db }: DemoDeps, jobID: string): Promise<boolean> {
  const row = await db.selectFrom('job').select('cancel_requested').where('job_id', '=', jobID).executeTakeFirst()
  return row?.cancel_requested === true
}

/** Cancelled or out of time; otherwise this server stops, and another try follows. */
async function isOver(deps: DemoDeps, { jobID, signal }: JobContext<object>): Promise<boolean> {
  if (!signal.aborted || signal.reason instanceof AppError) return true
  return isCancelled(deps, jobID)
}

/** Half a demo is no demo: whatever ends the loading takes away what is there. A server that stops does it again. */
async function load(deps: DemoDeps, context: JobContext<object>): Promise<object> {
  const { jobID, signal } = context
  await claimLoading(deps.db, jobID)
  const progress: typeof context.progress = async (done, total) => {
    await context.progress(done, total)
    await refuseUnwanted(deps.db)
  }
  try {
    await refuseUnwanted(deps.db)
    // A try before this one may have been cut off anywhere.
    await removeFleet(deps, { signal, keepsMark: true })
    const loading = { deps, user: userOf(context), now: deps.clock.now(), t: wordsFor(context.language) }
    return await loadFleet(loading, progress)
  } catch (error) {
    if (!(await isOver(deps, context))) throw error
    await beginRemoving(deps, userOf(context))
    if (signal.aborted) throw error
    deps.log.error({ err: error }, 'the demo fleet could not be loaded')
    throw error instanceof AppError ? error : new AppError(errors.system, { detail: String(error), cause: error })
  }
}

/**
 * Nothing has happened before the first step; later the fleet is silent and partly gone, and a fleet of disabled devices
 * is of no use to anybody: another job goes on to the end.
 */
async function remove(deps: DemoDeps, context: JobContext<object>): Promise<undefined> {
  const { jobID, signal } = context
  if (!(await claimRemoving(deps.db, jobID))) return
  let begun = false
  const progress: typeof context.progress = async (done, total) => {
    await context.progress(done, total)
    begun = true
  }
  try {
    await removeFleet(deps, { signal, progress })
  } catch (error) {
    if (begun && (await isCancelled(deps, jobID))) await beginRemoving(deps, userOf(context), kept('继续移除演示数据'))
    throw error
  }
}

export const demoJobKinds = (deps: DemoDeps): JobKind[] => [
  { kind: loadKind, deadlineSeconds, run: (context) => load(deps, context) },
  { kind: removeKind, deadlineSeconds, run: (context) => remove(deps, context) },
]
