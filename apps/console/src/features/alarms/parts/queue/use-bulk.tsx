import type { AlarmRecord, BulkDealResult } from '@ithings/contract/features/alarms/record.ts'
import { t } from '@ithings/contract/text.ts'
import { App } from 'antd'
import { sourceName } from '#blocks/alarm-records/record-words.ts'
import { describeError } from '#kit/states/describe-error.ts'
import { FailureList } from '../failure-list.tsx'

export type BulkAct = 'claim' | 'unclaim' | 'ignore' | 'handle'

const actWords: Record<BulkAct, { one: string; many: string; partly: string; failed: string }> = {
  claim: {
    one: '已认领',
    many: '已认领 {count} 条',
    partly: '已认领 {done} 条，{failed} 条未能认领',
    failed: '认领失败',
  },
  unclaim: {
    one: '已放弃认领',
    many: '已放弃认领 {count} 条',
    partly: '已放弃认领 {done} 条，{failed} 条未能放弃认领',
    failed: '放弃认领失败',
  },
  ignore: {
    one: '已忽略',
    many: '已忽略 {count} 条',
    partly: '已忽略 {done} 条，{failed} 条未能忽略',
    failed: '忽略失败',
  },
  handle: {
    one: '已处理',
    many: '已处理 {count} 条',
    partly: '已处理 {done} 条，{failed} 条未能处理',
    failed: '处理失败',
  },
}

/** Runs something over several records; tells what was done and, in a dialog, what was not. */
export function useBulk() {
  const { message, modal } = App.useApp()
  return async (
    act: BulkAct,
    records: readonly AlarmRecord[],
    run: (ids: number[]) => Promise<BulkDealResult>,
  ): Promise<boolean> => {
    const words = actWords[act]
    try {
      const { done, failed } = await run(records.map(({ id }) => id))
      if (failed.length === 0) {
        void message.success(records.length === 1 ? t(words.one) : t(words.many, { count: done }))
        return true
      }
      const names = new Map(records.map((one) => [one.id, `${one.alarmName} · ${sourceName(one)}`]))
      modal.error({
        title: t(words.partly, { done, failed: failed.length }),
        content: <FailureList rows={failed.map(({ id, msg }) => ({ id, msg, name: names.get(id) ?? String(id) }))} />,
      })
      return done > 0
    } catch (error) {
      modal.error({ title: t(words.failed), content: describeError(error).reason })
      return false
    }
  }
}
