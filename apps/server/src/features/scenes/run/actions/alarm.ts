import { type OpenRun, toRaising } from '../open-run.ts'
import { type ActionKit, type ActionOutcome, done, noteFirst } from './action-kit.ts'

export async function runAlarm(
  kit: ActionKit,
  run: OpenRun,
  { mode }: { mode: 'trigger' | 'relieve' },
): Promise<ActionOutcome> {
  const { text } = mode === 'trigger' ? await kit.alarms.raise(toRaising(run)) : await kit.alarms.clear(toRaising(run))
  noteFirst(kit, run)
  return done(text)
}
