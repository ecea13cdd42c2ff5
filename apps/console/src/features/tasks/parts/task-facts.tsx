/** A task in words, in the summary of its form and in its detail. */

import { TaskSchedule } from '@ithings/contract/features/tasks.ts'
import { t } from '@ithings/contract/text.ts'
import { zoneOffset } from '@ithings/contract/zone-days.ts'
import { useEffect, useState } from 'react'
import type { FactRow } from '#blocks/rollout/wizard.tsx'
import { useServerZone } from '#blocks/server-zone.ts'
import { formatTime, zoneLabel } from '#kit/time.ts'
import type { TaskDraft } from '../draft/task-draft.ts'

/** A cron expression in Chinese and how far the zone is off that it runs by; the reader comes on first use. */
export function CronWords({ cron }: { cron: string }) {
  const zone = useServerZone()
  const [words, setWords] = useState<string>()
  useEffect(() => {
    let current = true
    void import('#kit/cron-verdict.ts').then(({ readCron }) => {
      if (current) setWords(readCron(cron).words ?? cron)
    })
    return () => {
      current = false
    }
  }, [cron])
  return (
    <>
      {words ?? cron}
      {zone && t('（{zoneOffset}）', { zoneOffset: zoneOffset(zone) })}
    </>
  )
}

type Scheduled = Pick<TaskDraft, 'runAt' | 'cron' | 'validStart' | 'validEnd'> & { scheduleType: number }

export function scheduleRows({ scheduleType, runAt, cron, validStart, validEnd }: Scheduled): FactRow[] {
  if (scheduleType === TaskSchedule.now) return [[t('执行方式'), t('立即')]]
  if (scheduleType === TaskSchedule.once) {
    return [
      [t('执行方式'), t('定时一次，{runAt}（{zoneLabel}）', { runAt: formatTime(runAt), zoneLabel: zoneLabel() })],
    ]
  }
  return [
    [
      t('执行方式'),
      <span key="cron">
        {t('周期')} <span className="mono">{cron}</span>
        {t('，')}
        <CronWords cron={cron} />
      </span>,
    ],
    [
      t('有效期'),
      validStart || validEnd
        ? t('{validStart} 至 {validEnd}', { validStart: formatTime(validStart), validEnd: formatTime(validEnd) })
        : t('不限'),
    ],
  ]
}

type Limits = { [K in 'retryCount' | 'retryInterval' | 'failStop']: number | null }

export const limitRows = ({ retryCount, retryInterval, failStop }: Limits): FactRow[] => [
  [
    t('失败重试'),
    retryCount ? t('{retryCount} 次，间隔 {retryInterval} 秒', { retryCount, retryInterval }) : t('不重试'),
  ],
  [t('失败率熔断'), failStop ? t('达到 {failStop}% 停止下发', { failStop }) : t('关闭')],
]
