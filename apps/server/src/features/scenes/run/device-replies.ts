/**
 * What devices answered to the commands of runs. A run does not wait for it (rules.md 4: asynchronous), but its log
 * learns of every answer that comes within the time of a command.
 */
import { errors } from '@ithings/contract/errors.ts'
import { RunResult } from '@ithings/contract/features/scenes/info.ts'
import type { LoggedAction } from '@ithings/contract/features/scenes/log.ts'
import { kept } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import { jsonText } from '#db/json-text.ts'
import type { Db } from '#db/schema.ts'
import type { OpenRun } from './open-run.ts'
import { replaceStep } from './run-store.ts'
import type { RunnerDeps } from './runner-deps.ts'
import type { SceneMarks } from './scene-marks.ts'
import { success, summarise } from './summarise.ts'

const flushMs = 50
const forgetMs = 30_000
/** Answers may overtake the news that the command is out; and commands of others answer too. */
const mostEarly = 2_000
const mostAwaited = 20_000

interface Awaited {
  run: OpenRun
  step: number
  deviceNo: number
  since: number
}
interface Answer extends Awaited {
  code: number
}

/** "2 台拒绝" and the like behind what the step said when it was done. */
function noteAnswers(action: LoggedAction, answers: Answer[]): void {
  for (const { deviceNo, code } of answers) {
    const device = action.devices[deviceNo]
    if (device) device.code = code
  }
  const silent = action.devices.filter(({ code }) => code === errors.timeout.code)
  const refused = action.devices.filter(({ code }) => code !== success && code !== 0 && code !== errors.timeout.code)
  const [first] = refused
  const named = answers.find(({ code }) => code !== success && code !== errors.timeout.code)
  if (named && first) {
    action.ok = false
    action.code = first.code
    action.msg =
      refused.length === 1
        ? kept('设备 {deviceName} 拒绝 code {code}', { deviceName: first.deviceName, code: first.code })
        : kept('{count} 台设备失败', { count: refused.length })
  } else if (action.ok && silent.length > 0) {
    action.msg =
      silent.length === 1
        ? kept('已下发，设备 {deviceName} 未回复', { deviceName: silent[0]?.deviceName })
        : kept('已下发，{count} 台未回复', { count: silent.length })
  } else if (action.ok && action.devices.length > 0 && action.devices.every(({ code }) => code === success)) {
    const { length } = action.devices
    action.msg = length === 1 ? kept('设备已确认') : kept('{count} 台设备已确认', { count: length })
  }
}

interface StoredRun {
  actions: LoggedAction[]
  result: RunResult
  reason: string
}

const isOver = (result: RunResult) => result !== RunResult.running && result !== RunResult.waiting

/** A refusal changes what the run came to. Under a lock: it may be at its next step meanwhile, here or elsewhere. */
async function storeRefusal(db: Db, run: OpenRun, touched: number[]) {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<StoredRun>`
      select actions, result, reason from scene_run where run_id = ${run.runID} for update`.execute(tx)
    const [row] = rows
    if (!row) return undefined
    const actions = row.actions.map((action, step) => (touched.includes(step) ? (run.actions[step] ?? action) : action))
    const summary = summarise(actions, row.reason)
    const result = isOver(row.result) ? summary.result : row.result
    await sql`
      update scene_run set actions = ${jsonText(actions)}::jsonb, result = ${result}
      where run_id = ${run.runID}`.execute(tx)
    return { before: row.result, summary, result }
  })
}

/** Notes what the devices of one run have answered. */
async function writeAnswers({ db, bus }: RunnerDeps, marks: SceneMarks, answers: Answer[]): Promise<void> {
  const [{ run }] = answers as [Answer, ...Answer[]]
  const touched = [...new Set(answers.map(({ step }) => step))]
  let refused = false
  for (const step of touched) {
    const action = run.actions[step]
    const before = action?.ok
    const given = answers.filter((answer) => answer.step === step)
    // What is still at work here counts with it when it ends.
    if (action) noteAnswers(action, given)
    refused ||= before === true && action?.ok === false
  }
  if (!refused) {
    for (const step of touched) {
      const action = run.actions[step]
      if (action) await replaceStep(db, run.runID, step, action)
    }
    return
  }
  const stored = await storeRefusal(db, run, touched)
  if (!stored) return
  if (isOver(stored.before)) marks.changed(run.sceneID, run.startedAt, stored.before, stored.summary)
  bus.emit('scene.ran', { sceneID: run.sceneID, runID: run.runID, result: stored.result })
}

export interface DeviceReplies {
  /** The step is in the log: its answers can be written there. */
  expect(run: OpenRun, step: number, action: LoggedAction): void
  start(): void
  stop(): Promise<void>
}

export function makeDeviceReplies(deps: RunnerDeps, marks: SceneMarks): DeviceReplies {
  const { bus, clock, log, background } = deps
  const awaited = new Map<string, Awaited>()
  const early = new Map<string, { code: number; at: number }>()
  const answered: Answer[] = []
  let end: (() => void) | undefined

  const write = async () => {
    const byRun = Map.groupBy(answered.splice(0), ({ run }) => run.runID)
    for (const answers of byRun.values()) {
      await writeAnswers(deps, marks, answers).catch((error: unknown) =>
        log.warn({ err: error }, 'answers of devices could not be noted'),
      )
    }
    return undefined
  }
  const loop = background.loop({ name: 'scenes.replies', turn: write })
  const note = (answer: Answer) => {
    answered.push(answer)
    loop.wake(clock.now() + flushMs)
  }
  const forgetOld = () => {
    const limit = clock.now() - forgetMs
    for (const [token, { since }] of awaited) {
      if (since > limit && awaited.size < mostAwaited) break
      awaited.delete(token)
    }
    for (const [token, { at }] of early) {
      if (at > limit && early.size < mostEarly) break
      early.delete(token)
    }
  }

  return {
    expect(run, step, action) {
      forgetOld()
      for (const [deviceNo, { clientToken, code }] of action.devices.entries()) {
        if (clientToken === '' || code !== 0) continue
        const one = { run, step, deviceNo, since: clock.now() }
        const answer = early.get(clientToken)
        early.delete(clientToken)
        if (answer) note({ ...one, code: answer.code })
        else awaited.set(clientToken, one)
      }
    },
    start() {
      loop.start()
      end = bus.on('command.done', ({ clientToken, code }) => {
        const one = awaited.get(clientToken)
        awaited.delete(clientToken)
        if (one) return note({ ...one, code })
        forgetOld()
        early.set(clientToken, { code, at: clock.now() })
      })
    },
    async stop() {
      end?.()
      await loop.stop()
      await loop.flush()
    },
  }
}
