import type { DataOf } from '@ithings/contract/endpoint.ts'
import type { ExportColumn } from '@ithings/contract/features/jobs.ts'
import type { analyseOtaTask, OtaTask } from '@ithings/contract/features/ota/task.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import dayjs from 'dayjs'
import { Chart } from '#kit/chart.tsx'
import { ChartExport } from '#kit/chart-export.tsx'
import { readingOf } from '#kit/exporting.ts'
import { numberText } from '#kit/number-text.ts'
import { usePreferences } from '#kit/preferences.tsx'
import { Loaded } from '#kit/states/loaded.tsx'
import { surfaces } from '#kit/theme/palette.ts'
import { useMemo } from '#language/use-memo.ts'
import { isTaskOpen } from '../../labels.ts'
import { analysisQuery } from '../../task-queries.ts'
import { type TrendBar, trendBars } from './trend.ts'

const height = 132

const trendColumns = (): ExportColumn[] => [
  { key: 'time', head: t('时间'), type: 'time' },
  { key: 'success', head: t('成功') },
  { key: 'failed', head: t('失败') },
]

/** How many devices came to their end in each 10 minutes. */
function TrendChart({ task, trend }: { task: OtaTask; trend: readonly TrendBar[] }) {
  const { dark } = usePreferences()
  const open = isTaskOpen(task)
  // A task at work goes on until now: when nothing ends any more that is seen as well.
  const until = open && task.paused !== 1 ? Math.floor(Date.now() / 600_000) * 600 : 0
  const option = useMemo(() => {
    const bars = trendBars(trend, until)
    const colors = dark ? surfaces.dark : surfaces.light
    const bar = { type: 'bar', stack: 'ends', barCategoryGap: '35%' }
    return {
      // Every answer draws it anew; a bar that grows each time would only distract.
      animation: false,
      grid: { left: 32, right: 0, top: 10, bottom: 22 },
      tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' }, confine: true },
      xAxis: { type: 'category', data: bars.map(({ time }) => dayjs.unix(time).format('HH:mm')) },
      yAxis: { type: 'value', minInterval: 1, splitNumber: 2 },
      series: [
        { ...bar, name: t('成功'), data: bars.map(({ success }) => success), itemStyle: { color: colors.okDot } },
        { ...bar, name: t('失败'), data: bars.map(({ failed }) => failed), itemStyle: { color: colors.errorDot } },
      ],
    }
  }, [trend, until, dark])
  if (trend.length === 0) return null
  const sum = (field: 'success' | 'failed') => trend.reduce((total, one) => total + one[field], 0)
  return (
    <div className="trend">
      <div className="trend-head row small softer gap-12">
        <span className="grow">{t('每 10 分钟完成')}</span>
        <span className="rollout-key stacked-success">{t('成功')}</span>
        <span className="rollout-key stacked-error">{t('失败')}</span>
        <ChartExport
          title={t('每 10 分钟完成')}
          columns={trendColumns}
          rows="trend"
          source={readingOf(analysisQuery(task.taskUid))}
        />
      </div>
      <Chart
        bars
        height={height}
        label={t('每 10 分钟完成：成功 {success, number}，失败 {failed, number}', {
          success: sum('success'),
          failed: sum('failed'),
        })}
        option={option}
      />
    </div>
  )
}

interface ReasonsProps {
  task: OtaTask
  refetchInterval: number | false
  /** The reason that the table is filtered by. */
  reason: string
  onPick: (reason: string) => void
}

type ReasonListProps = Pick<ReasonsProps, 'reason' | 'onPick'> & { reasons: DataOf<typeof analyseOtaTask>['reasons'] }

const totalOf = (reasons: ReasonListProps['reasons']) => reasons.reduce((sum, { count }) => sum + count, 0)

function ReasonList({ reasons, reason, onPick }: ReasonListProps) {
  if (reasons.length === 0) return <p className="side-note centered side-none quiet">{t('还没有设备失败')}</p>
  const total = totalOf(reasons)
  return (
    <ul className="reasons-list bare-list column gap-4">
      {reasons.map((one) => (
        <li key={one.reason}>
          <button
            type="button"
            className="plain-button reason block wide start"
            aria-pressed={one.reason === reason}
            onClick={() => onPick(one.reason === reason ? '' : one.reason)}
          >
            <span className="flex between gap-12">
              <span className="anywhere" title={one.reason}>
                {one.reason || t('设备没有说明')}
              </span>
              <b>{numberText(one.count)}</b>
            </span>
            <span className="share block clip grey-fill stacked-error" aria-hidden="true">
              <span style={{ width: `${(one.count / total) * 100}%` }} />
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** Why devices failed, most first; a click shows those devices. */
export function Reasons({ task, refetchInterval, reason, onPick }: ReasonsProps) {
  const analysis = useQuery({ ...analysisQuery(task.taskUid), refetchInterval })
  const total = totalOf(analysis.data?.reasons ?? [])
  return (
    <section className="sheet pad-16 reasons">
      <header className="detail-head below-12 gap-4-8 row wrap">
        <h2 className="subtitle">{t('失败原因', { context: 'list' })}</h2>
        {total > 0 && <span className="meta">{t('{count, number} 台', { count: total })}</span>}
        {reason !== '' && (
          <button type="button" className="plain-button link to-end" onClick={() => onPick('')}>
            {t('显示全部')}
          </button>
        )}
      </header>
      <Loaded compact query={analysis} subject={t('失败原因', { context: 'list' })} rows={3}>
        {({ reasons, trend }) => (
          <>
            <ReasonList reasons={reasons} reason={reason} onPick={onPick} />
            <TrendChart task={task} trend={trend} />
          </>
        )}
      </Loaded>
    </section>
  )
}
