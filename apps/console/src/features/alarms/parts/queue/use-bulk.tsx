import type { AlarmRecord, BulkDealResult } from '@ithings/contract/features/alarms/record.ts'
import { t } from '@ithings/contract/text.ts'
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
        void message.success(records.length === 1 ? t('已{word}', { word }) : t('已{word} {done} 条', { word, done }))
        return true
      }
      const names = new Map(records.map((one) => [one.id, `${one.alarmName} · ${sourceName(one)}`]))
      modal.error({
        title: t('已{word} {done} 条，{count} 条未能{word}', { word, done, count: failed.length }),
        content: <FailureList rows={failed.map(({ id, msg }) => ({ id, msg, name: names.get(id) ?? String(id) }))} />,
      })
      return done > 0
    } catch (error) {
      modal.error({ title: t('{word}失败', { word }), content: describeError(error).reason })
      return false
    }
  }
}
