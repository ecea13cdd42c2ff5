import type { ExportColumn } from '@ithings/contract/features/jobs.ts'
import type { BacktestReport } from '@ithings/contract/features/scenes/trial.ts'
import { t } from '@ithings/contract/text.ts'
import { useQueries } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { Chart } from '#kit/chart.tsx'
import { ChartExport } from '#kit/chart-export.tsx'
import { numberText } from '#kit/number-text.ts'
import { usePreferences } from '#kit/preferences.tsx'
import { RichText } from '#kit/rich-text.tsx'
import { formatTime } from '#kit/time.ts'
import { withIndex } from '#kit/with-index.ts'
import { useMemo } from '#language/use-memo.ts'
import { useEditor } from '../editor-context.ts'
import { aliasQuery } from '../editor-queries.ts'
import { backtestOption } from '../logic/backtest-option.ts'
import { seenText, spanText } from '../logic/trial.ts'
import { FiringsDrawer, reportOf } from './firings-drawer.tsx'

const shown = 4
const shortTime = 'MM-DD HH:mm'

/** So many devices are shown by their alias, the others by their name. */
const namedDevices = 20

const pointColumns = (): ExportColumn[] => [
  { key: 'timestamp', head: t('时间'), type: 'time' },
  { key: 'min', head: t('最小'), type: 'number' },
  { key: 'max', head: t('最大'), type: 'number' },
]

function useAliases(productID: string, deviceNames: readonly string[]): (deviceName: string) => string {
  const found = useQueries({ queries: deviceNames.map((name) => aliasQuery(productID, name)) })
  return (name) => found[deviceNames.indexOf(name)]?.data || name
}

interface BacktestResultProps {
  /** Keeps the report. */
  jobID: string
  report: BacktestReport
  from: number
  to: number
}

export function BacktestResult({ jobID, report, from, to }: BacktestResultProps) {
  const { dark } = usePreferences()
  const { names, draft } = useEditor()
  const [open, setOpen] = useState(false)
  const { total, devices, saved, chart, fired, missed, missedAt, scanned, seconds, notes } = report
  const option = useMemo(() => backtestOption({ from, to, report, dark }), [from, to, report, dark])
  const product = draft.triggers[0]?.part.productID ?? ''
  const property = names.property(product, chart.property.split('.'))
  const deviceText = useAliases(product, [...new Set(fired.map(({ deviceName }) => deviceName))].slice(0, namedDevices))
  return (
    <div className="column shrink gap-8" aria-live="polite">
      <div className="flex wrap baseline between gap-12 tight">
        <span>
          <RichText
            text={
              devices > 0
                ? t('将触发 <0>{count, number}</0> 次，涉及 {devices, number} 台', { count: total, devices })
                : t('将触发 <0>{count, number}</0> 次', { count: total })
            }
            parts={[<b key="total" style={{ paddingInline: 2, fontSize: 26, lineHeight: '32px' }} />]}
          />
        </span>
        {saved && <span className="meta">{t('已保存版本 {count, number} 次', { count: saved.total })}</span>}
      </div>
      {chart.points.length > 0 && (
        <>
          <div className="meta flex wrap gap-12 tight">
            <span className="ring inline-row gap-6">{t('触发 {total, number}', { total })}</span>
            {missed > 0 && (
              <span className="ring inline-row gap-6 ring-missed">{t('条件不成立 {missed, number}', { missed })}</span>
            )}
            <span className="to-end">
              {property?.name ?? chart.property}
              {property?.unit ? ` ${property.unit}` : ''}
              <ChartExport
                title={property?.name ?? chart.property}
                columns={pointColumns}
                rows="result.chart.points"
                source={reportOf(jobID)}
              />
            </span>
          </div>
          <Chart
            height={saved ? 244 : 230}
            option={option}
            label={t('{name}与触发，近 {span}，触发 {count} 次', {
              name: property?.name ?? chart.property,
              span: spanText(from, to),
              count: total,
            })}
          />
        </>
      )}
      {fired.length > 0 && (
        <ul className="firings line-above size-13 bare-list">
          {withIndex(fired.slice(-shown).toReversed()).map(({ no, item }) => (
            <li key={no} className="flex gap-10">
              <time className="nowrap softer">{formatTime(item.timestamp, shortTime)}</time>
              <span className="cut grow shrink">{deviceText(item.deviceName)}</span>
              <span className="cut" style={{ maxWidth: '50%' }}>
                {seenText(item)}
              </span>
            </li>
          ))}
        </ul>
      )}
      {total === 0 && missed === 0 && <p className="meta">{t('这段时间里没有会触发它的数据。')}</p>}
      {notes.map((note) => (
        <p key={note} className="meta tone-warning">
          {note}
        </p>
      ))}
      <div className="meta row wrap between">
        <span>
          {t('重放 {scanned, number} 个值 · {seconds} 秒 · 不执行动作', {
            scanned,
            seconds: numberText(seconds, 1, 1),
          })}
        </span>
        {(fired.length > 0 || missedAt.length > 0) && (
          <Button type="link" size="small" onClick={() => setOpen(true)}>
            {total > 0
              ? t('全部 {count, number} 次', { count: total })
              : t('未触发 {count, number} 次', { count: missed })}
          </Button>
        )}
      </div>
      <FiringsDrawer jobID={jobID} report={report} deviceText={deviceText} open={open} onClose={() => setOpen(false)} />
    </div>
  )
}
