import type { Common } from '#common-deps.ts'
import type { NotifyDeps } from '#features/notify/door.ts'

/** What alarms need; made once in app/. */
export interface AlarmsDeps extends Common<'db' | 'clock' | 'bus'> {
  /** The outbox, for what is told to people. */
  notify: Pick<NotifyDeps, 'db' | 'clock' | 'bell'>
}
