import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { ForwardSource, testForward } from '@ithings/contract/features/forwarding/rules.ts'
import { keep, kept } from '@ithings/contract/text.ts'
import { type ForwardMessage, TargetAway } from '#ports/forward-target.ts'
import type { ForwardingDeps } from './forwarding-deps.ts'
import { unmaskTarget } from './masked-target.ts'
import { openTarget, readTarget } from './rule-target.ts'
import { makeForm } from './run/form.ts'
import type { RawMessage } from './run/raw-message.ts'
import { findRule } from './store.ts'

const samples: Record<ForwardSource, Record<string, unknown>> = {
  property: { temperature: 21.5, running: true },
  event: { code: 7 },
  presence: { online: true },
  command: { direction: 'down', method: 'control', clientToken: 'test', code: 200, content: { running: false } },
  alarm: { act: 'raised', recordID: 1, alarmID: 1, alarmName: 'test', level: 1 },
  operation: { userName: 'test', name: 'test', uri: '/', code: 200 },
}

const sampleOf = (source: ForwardSource, now: number): RawMessage => {
  const named = { productID: 'test', deviceName: 'test', identifier: source === 'event' ? 'test' : '' }
  return { id: `test-${now}`, source, time: now, at: now, deviceID: 0, ...named, data: samples[source], logDays: 0 }
}

/** Sends one message and answers what came of it; nothing is stored. */
export async function testRule(deps: ForwardingDeps, input: BodyOutput<typeof testForward>) {
  const { db, clock } = deps
  const saved = input.id === undefined ? undefined : readTarget(db, (await findRule(db, input.id)).target)
  const settings = unmaskTarget(input.target, saved)
  const formed = await makeForm(input.form, input.script, deps.trialScripts)(sampleOf(input.source, clock.now()))
  if (!formed) return { ok: true, msg: kept('脚本没有返回内容，这条消息不会发送'), body: '', ms: 0 }
  const { message, fault } = formed
  if (fault) return { ok: false, msg: fault, body: message.body, ms: 0 }
  return { body: message.body, ...(await shoot(deps, settings, message)) }
}

async function shoot(deps: ForwardingDeps, settings: Parameters<typeof openTarget>[1], message: ForwardMessage) {
  const begun = performance.now()
  const target = openTarget(deps, settings)
  const ms = () => Math.round(performance.now() - begun)
  try {
    const [refused] = await target.send([message], AbortSignal.timeout(2 * deps.tools.timeoutMs))
    return { ok: refused === undefined, msg: refused?.reason ?? '', ms: ms() }
  } catch (error) {
    const msg =
      error instanceof TargetAway ? keep([error.words]) : kept('转发出错：{error}', { error: (error as Error).message })
    return { ok: false, msg, ms: ms() }
  } finally {
    await target.close().catch(() => undefined)
  }
}
