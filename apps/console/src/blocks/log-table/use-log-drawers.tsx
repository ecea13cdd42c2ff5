import type { HubLogRow } from '@ithings/contract/features/history.ts'
import { useDialog } from '#kit/use-dialog.ts'
import { MessageTrace } from '../message-trace/message-trace.tsx'
import { LogContext } from './log-context.tsx'

/** Trace and context of a line; what they showed stays while they close, and one leads to the other. */
export function useLogDrawers() {
  const trace = useDialog<HubLogRow>()
  const context = useDialog<HubLogRow>()
  const showTrace = (row: HubLogRow) => {
    context.close()
    trace.show(row)
  }
  return {
    showTrace,
    showContext: context.show,
    drawers: (
      <>
        <MessageTrace tranceID={trace.about?.tranceID} open={trace.open} onClose={trace.close} onShow={showTrace} />
        <LogContext row={context.about} open={context.open} onPick={showTrace} onClose={context.close} />
      </>
    ),
  }
}
