import { type BacktestReport, backtestLimits } from '@ithings/contract/features/scenes/trial.ts'
import { useQueries } from '@tanstack/react-query'
import { Button } from 'antd'
import { useMemo, useState } from 'react'
import { Chart } from '#kit/chart.tsx'
import { numbered } from '#kit/numbered.ts'
import { usePreferences } from '#kit/preferences.tsx'
import { formatTime } from '#kit/time.ts'
import { useEditor } from '../editor-context.ts'
import { aliasQuery } from '../editor-queries.ts'
import { backtestOption } from '../logic/backtest-option.ts'
import { seenText, spanText } from '../logic/backtest-range.ts'
import { FiringsDrawer } from './firings-drawer.tsx'

const shown = 4
const shortTime = 'MM-DD HH:mm'

/** So many devices are shown by their alias, the others by their name. */
const namedDevices = 20

function useAliases(productID: string, deviceNames: readonly string[]): (deviceName: string) => string {
  const found = useQueries({ queries: deviceNames.map((name) => aliasQuery(productID, name)) })
  return (name) => found[deviceNames.indexOf(name)]?.data || name
}

interface BacktestResultProps {
  report: BacktestReport
  from: number
  to: number
}

export function BacktestResult({ report, from, to }: BacktestResultProps) {
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
      <div className="backtest-head">
        <span>
          将触发 <b className="backtest-total">{total.toLocaleString()}</b> 次
          {devices > 0 && `，涉及 ${devices.toLocaleString()} 台`}
        </span>
        {saved && <span className="meta">已保存版本 {saved.total.toLocaleString()} 次</span>}
      </div>
      {chart.points.length > 0 && (
        <>
          <div className="backtest-legend meta">
            <span className="ring inline-row gap-6 ring-fired">触发 {total.toLocaleString()}</span>
            {missed > 0 && (
              <span className="ring inline-row gap-6 ring-missed">条件不成立 {missed.toLocaleString()}</span>
            )}
            <span className="to-end">
              {property?.name ?? chart.property}
              {property?.unit ? ` ${property.unit}` : ''}
            </span>
          </div>
          <Chart
            height={saved ? 244 : 230}
            option={option}
            label={`${property?.name ?? chart.property}与触发，近 ${spanText(from, to)}，触发 ${total} 次`}
          />
        </>
      )}
      {fired.length > 0 && (
        <ul className="firings bare-list">
          {numbered(fired.slice(-shown).toReversed()).map(({ no, item }) => (
            <li key={no}>
              <time>{formatTime(item.timestamp, shortTime)}</time>
              <span className="cut grow shrink">{deviceText(item.deviceName)}</span>
              <span className="firing-seen cut">{seenText(item)}</span>
            </li>
          ))}
        </ul>
      )}
      {total === 0 && missed === 0 && <p className="meta">这段时间里没有会触发它的数据。</p>}
      {notes.map((note) => (
        <p key={note} className="meta tone-warning">
          {note}
        </p>
      ))}
      <div className="backtest-foot meta">
        <span>
          重放 {scanned.toLocaleString()} 个值 · {seconds.toFixed(1)} 秒 · 不执行动作
        </span>
        {(fired.length > 0 || missedAt.length > 0) && (
          <Button type="link" size="small" onClick={() => setOpen(true)}>
            {total > 0 ? `全部 ${total.toLocaleString()} 次` : `未触发 ${missed.toLocaleString()} 次`}
          </Button>
        )}
      </div>
      <FiringsDrawer
        report={report}
        limit={backtestLimits.firings}
        deviceText={deviceText}
        open={open}
        onClose={() => setOpen(false)}
      />
    </div>
  )
}
