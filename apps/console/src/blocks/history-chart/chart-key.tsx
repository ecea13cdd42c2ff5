import { LeftOutlined, RightOutlined, ZoomInOutlined, ZoomOutOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { Button, Tooltip } from 'antd'
import { rangeText } from '#blocks/model-form/define-summary.ts'
import type { Zoomer } from '#kit/chart-props.ts'
import { limitsNear, rangesOf } from './chart-option.ts'
import { type HistoryPicture, type MarkKind, markSigns } from './picture.ts'
import { zoomSteps } from './zoom-steps.ts'

const buttons = [
  { step: 'back', label: '向前移', icon: <LeftOutlined /> },
  { step: 'on', label: '向后移', icon: <RightOutlined /> },
  { step: 'in', label: '放大', icon: <ZoomInOutlined /> },
  { step: 'out', label: '缩小', icon: <ZoomOutOutlined /> },
] as const

const markLabels: Record<MarkKind, string> = {
  alarm: '告警',
  event: '事件',
  command: '指令',
  upgrade: '升级',
  config: '配置',
}
const kinds = Object.keys(markSigns) as MarkKind[]

/** What the lines and signs of the chart mean, and how to choose a part of it without dragging. */
export function ChartKey({ picture, onZoom }: { picture: HistoryPicture; onZoom: Zoomer }) {
  const marked = new Set(picture.marks?.map(({ kind }) => kind))
  return (
    <div className="chart-key flex top between gap-8">
      <ul className="meta bare-list flex wrap" aria-label={t('图例')}>
        {limitsNear(picture).length > 0 && (
          <li className="inline-row gap-6">
            <span className="chart-key-line chart-key-limit" aria-hidden="true" />
            {t('告警与场景阈值')}
          </li>
        )}
        {rangesOf(picture).map(({ property: { identifier, name, define } }) => (
          <li key={identifier} className="inline-row gap-6">
            <span className="chart-key-line" aria-hidden="true" />
            {t('{name}量程 {range}', { name, range: rangeText(define) })}
          </li>
        ))}
        {(picture.bands?.length ?? 0) > 0 && (
          <li className="inline-row gap-6">
            <span className="lined grey-fill" style={{ width: 12, height: 12 }} aria-hidden="true" />
            {t('离线')}
          </li>
        )}
        {kinds
          .filter((kind) => marked.has(kind))
          .map((kind) => (
            <li key={kind} className="inline-row gap-6">
              <span aria-hidden="true">{markSigns[kind]}</span>
              {t(markLabels[kind])}
            </li>
          ))}
      </ul>
      <span className="inline-row fixed">
        {buttons.map(({ step, label, icon }) => (
          <Tooltip key={step} title={t(label)}>
            <Button type="text" icon={icon} aria-label={t(label)} onClick={() => onZoom(zoomSteps[step])} />
          </Tooltip>
        ))}
      </span>
    </div>
  )
}
