import { ClockCircleOutlined, LoadingOutlined } from '@ant-design/icons'
import { getPropertyReply } from '@ithings/contract/features/commands.ts'
import { t } from '@ithings/contract/text.ts'
import type { Define } from '@ithings/contract/thing-model/define.ts'
import { Tooltip } from 'antd'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { latencyText } from '#blocks/command-history/command-words.ts'
import { DeviceTab } from '#blocks/device/tabs.ts'
import { describeText, isNumeric, isState } from '#blocks/typed-value/value-text.ts'
import { deviceDetailPath } from '#kit/paths.ts'
import { May } from '#kit/rights.tsx'
import { formatTime } from '#kit/time.ts'
import { TimeText } from '#kit/time-text.tsx'
import { isDirect, type PropertyView } from './property-body.tsx'
import { isWritable, silenceText } from './property-rows.ts'

const glowMs = 3000

/** look.md "Live": what a value was before, for a moment after it changed on the screen; the first one is no change. */
export function useChanged(text: string, timestamp: number): string | undefined {
  const [{ seen, at, from }, set] = useState<{ seen: string; at: number; from?: string }>({ seen: text, at: timestamp })
  if (text !== seen) set(at > 0 ? { seen: text, at: timestamp, from: seen } : { seen: text, at: timestamp })
  useEffect(() => {
    if (from === undefined) return
    const timer = setTimeout(() => set((now) => ({ seen: now.seen, at: now.at })), glowMs)
    return () => clearTimeout(timer)
  }, [from])
  return from
}

/** 「0.41 → 0.42」: short enough for the foot of a card; texts, times and groups are only said to be new. */
function fromTo(define: Define, before: string, now: string): string {
  if (!isNumeric(define) && !isState(define)) return t('更新')
  const plain = { ...define, unit: '' }
  return `${describeText(plain, before)} → ${describeText(plain, now)}`
}

const isWaiting = ({ state }: PropertyView): boolean => state?.phase === 'sending' || state?.phase === 'reading'

interface PropertyAgeProps {
  view: PropertyView
  /** The value before, for a moment after a change. */
  before: string | undefined
}

/** How old the value is, or what the command at it is doing. */
export function PropertyAge({ view, before }: PropertyAgeProps) {
  const { row, state, online } = view
  if (isWaiting(view)) {
    return (
      <span className="tone-processing" role="status">
        <LoadingOutlined aria-hidden="true" />{' '}
        {state?.phase === 'reading' ? t('读取中，等待设备回复') : t('下发中，等待设备回复')}
      </span>
    )
  }
  if (state?.outcome?.tone === 'success') {
    return (
      <span className="tone-success" role="status">
        {t('设备已回复')}
        {state.took !== undefined && ` ${latencyText(state.took)}`}
      </span>
    )
  }
  if (before !== undefined) {
    return (
      <>
        <b className="tone-processing">{t('刚刚')}</b> {fromTo(row.property.define, before, row.text)}
      </>
    )
  }
  if (row.freshness === 'never') return t('从未上报')
  if (row.freshness === 'stale' && online) {
    return (
      <Tooltip title={formatTime(row.timestamp)}>
        <span className="tone-warning">
          <ClockCircleOutlined aria-hidden="true" /> {silenceText(row.timestamp, Date.now())}
        </span>
      </Tooltip>
    )
  }
  return <TimeText value={row.timestamp} />
}

/** A refusal or a time-out stays where the eye is, with what to do (look.md "Feedback"); so does a value that waits. */
export function PropertyOutcome({ view: { state, desired } }: { view: PropertyView }) {
  const outcome = state?.outcome
  return (
    <>
      {outcome && outcome.tone !== 'success' && (
        <div className={`property-note line-20 anywhere small tone-${outcome.tone}`} role="alert">
          <b>{t(outcome.label)}</b> {outcome.text}
        </div>
      )}
      {desired && (
        <div className="property-note line-20 anywhere small tone-processing">
          {t('期望 {value}，待同步', { value: desired })}
        </div>
      )}
    </>
  )
}

export function PropertyActions({ view }: { view: PropertyView }) {
  const { device, row, online, locked } = view
  const { identifier, isUseShadow, isNoRecord, name } = row.property
  if (isWaiting(view)) {
    return (
      <span className="property-actions inline-row fixed gap-12">
        <Tooltip title={t('不再等待；设备的回复仍会进入下发记录')}>
          <button type="button" className="plain-button" onClick={view.onLeave}>
            {t('取消')}
          </button>
        </Tooltip>
      </span>
    )
  }
  const history = `${deviceDetailPath(device, DeviceTab.data)}?props=${encodeURIComponent(identifier)}`
  return (
    <span className="property-actions inline-row fixed gap-12">
      {isWritable(row) && !isDirect(row) && (
        <button
          type="button"
          className="plain-button"
          aria-label={t('设置{name}', { name })}
          disabled={locked !== undefined}
          title={locked}
          onClick={view.onEdit}
        >
          {t('设置', { context: 'verb' })}
        </button>
      )}
      <May needs={getPropertyReply}>
        <button
          type="button"
          className="plain-button"
          aria-label={t('读取{name}', { name })}
          disabled={!online}
          title={online ? t('请设备现在上报这个属性') : t('设备离线，无法读取')}
          onClick={view.onRead}
        >
          {t('读取')}
        </button>
      </May>
      {isUseShadow && <Link to={deviceDetailPath(device, DeviceTab.shadow)}>{t('影子')}</Link>}
      {!isNoRecord && <Link to={history}>{t('历史')}</Link>}
    </span>
  )
}
