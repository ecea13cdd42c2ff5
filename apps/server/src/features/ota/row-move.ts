/** Moves of a device's part in a task: only those of the table in contract/features/ota/states.ts. */
import { nextOtaStatus, type OtaEvent, OtaStatus } from '@ithings/contract/features/ota/states.ts'
import { RowState } from '#features/rollouts/door.ts'

/** A row that a server has taken is as good as pushed: the device may be quicker than our own note of it. */
export const statusNow = ({ state, status }: { state: number; status: number }): OtaStatus =>
  (state === RowState.sent && status === OtaStatus.waiting ? OtaStatus.pushed : status) as OtaStatus

/** undefined: not a legal move. */
export const moveOf = (row: { state: number; status: number }, event: OtaEvent): OtaStatus | undefined =>
  nextOtaStatus(statusNow(row), event)
