/** A task in words, in the summary of its form and in its detail. */

import { TaskSchedule } from '@ithings/contract/features/tasks.ts'
import { t } from '@ithings/contract/text.ts'
import { zoneOffset } from '@ithings/contract/zone-days.ts'
import { useEffect, useState } from 'react'
import type { FactRow } from '#blocks/rollout/wizard.tsx'
import { useServerZone } from '#blocks/server-zone.ts'
import type { readCron as ReadCron } from '#kit/cron-verdict.ts'
import { inSentence } from '#kit/in-sentence.ts'
import { RichText } from '#kit/rich-text.tsx'
import { formatTime, zoneLabel } from '#kit/time.ts'
import type { TaskDraft } from '../draft/task-draft.ts'

/** A cron expression in words, also inside of a sentence, and how far off its zone is; the reader comes on first use. */
export function CronWords({ cron, inside = false }: { cron: string; inside?: boolean }) {
  const zone = useServerZone()
  const [reader, setReader] = useState<{ readCron: typeof ReadCron }>()
  useEffect(() => {
    let current = true
    void import('#kit/cron-verdict.ts').then(({ readCron }) => {
      if (current) setReader({ readCron })
    })
    return () => {
      current = false
    }
  }, [])
  const words = reader?.readCron(cron).words ?? cron
  return (
    <>
      {inside ? inSentence(words) : words}
      {zone && t('（{zone}）', { zone: zoneOffset(zone) })}
    </>
  )
}

type Scheduled = Pick<TaskDraft, 'runAt' | 'cron' | 'validStart' | 'validEnd'> & { scheduleType: number }

export function scheduleRows({ scheduleType, runAt, cron, validStart, validEnd }: Scheduled): FactRow[] {
  if (scheduleType === TaskSchedule.now) return [[t('执行方式'), t('立即')]]
  if (scheduleType === TaskSchedule.once) {
    return [[t('执行方式'), t('定时一次，{time}（{zone}）', { time: formatTime(runAt), zone: zoneLabel() })]]
  }
  return [
    [
      t('执行方式'),
      <RichText
        key="cron"
        text={t('周期 <0/>，<1/>')}
        parts={[
          <span key="cron" className="mono">
            {cron}
          </span>,
          <CronWords key="words" cron={cron} inside />,
        ]}
      />,
    ],
    [
      t('有效期'),
      validStart || validEnd
        ? t('{from} 至 {to}', { from: formatTime(validStart), to: formatTime(validEnd) })
        : t('不限'),
    ],
  ]
}

type Limits = { [K in 'retryCount' | 'retryInterval' | 'failStop']: number | null }

export const limitRows = ({ retryCount, retryInterval, failStop }: Limits): FactRow[] => [
  [
    t('失败重试'),
    retryCount ? t('{count} 次，间隔 {seconds} 秒', { count: retryCount, seconds: retryInterval }) : t('不重试'),
  ],
  [t('失败率熔断'), failStop ? t('达到 {percent}% 停止下发', { percent: failStop }) : t('关闭', { context: 'state' })],
]
