import type { AlarmRecord, BulkDealResult } from '@ithings/contract/features/alarms/record.ts'
import { App } from 'antd'
import { sourceName } from '#blocks/alarm-records/record-words.ts'
import { describeError } from '#kit/states/describe-error.ts'
import { FailureList } from '../failure-list.tsx'

/** Runs something over several records; tells what was done and, in a dialog, what was not. */
export function useBulk() {
  const { message, modal } = App.useApp()
  return async (
    word: string,
    records: readonly AlarmRecord[],
    run: (ids: number[]) => Promise<BulkDealResult>,
  ): Promise<boolean> => {
    try {
      const { done, failed } = await run(records.map(({ id }) => id))
      if (failed.length === 0) {
        void message.success(records.length === 1 ? `已${word}` : `已${word} ${done} 条`)
        return true
      }
      const names = new Map(records.map((one) => [one.id, `${one.alarmName} · ${sourceName(one)}`]))
      modal.error({
        title: `已${word} ${done} 条，${failed.length} 条未能${word}`,
        content: <FailureList rows={failed.map(({ id, msg }) => ({ id, msg, name: names.get(id) ?? String(id) }))} />,
      })
      return done > 0
    } catch (error) {
      modal.error({ title: `${word}失败`, content: describeError(error).reason })
      return false
    }
  }
}
