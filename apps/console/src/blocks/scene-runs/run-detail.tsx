import { RightOutlined } from '@ant-design/icons'
import { RunResult } from '@ithings/contract/features/scenes/info.ts'
import type { LoggedAction, SceneLog } from '@ithings/contract/features/scenes/log.ts'
import { t } from '@ithings/contract/text.ts'
import { Button } from 'antd'
import { useState } from 'react'
import { DeviceLink } from '#blocks/device-link.tsx'
import { Latency } from '#blocks/log-table/log-cells.tsx'
import { resultOf } from '#blocks/log-table/result-view.ts'
import { StatusTag } from '#kit/status-tag.tsx'
import { formatTime } from '#kit/time.ts'
import { withIndex } from '#kit/with-index.ts'
import { CheckedConditions, RunIcon } from './run-icon.tsx'
import { devicesText, okCode, resultLook, runSummary, startedBy, tookText } from './run-words.ts'

const clock = 'HH:mm:ss.SSS'
const shownDevices = 5

function ActionState({ action: { ok, code } }: { action: LoggedAction }) {
  if (code === 0) return <StatusTag filled text={t('执行中')} tone="processing" />
  return (
    <StatusTag
      filled
      text={ok ? t('成功') : code === okCode ? t('失败') : String(code)}
      tone={ok ? 'success' : 'error'}
    />
  )
}

/** Why a device did not do it: the word, and on hover what helps. */
function RefusedBy({ code }: { code: number }) {
  const { text, advice } = resultOf({ resultType: String(code), msg: '' })
  return (
    <span className="meta tone-error" title={advice || undefined}>
      {code} {text}
    </span>
  )
}

function ActionStep({ action }: { action: LoggedAction }) {
  const { text, ok, msg, startTime, endTime } = action
  const refused = action.devices.filter(({ code }) => code !== okCode && code !== 0)
  const about = devicesText(action)
  return (
    <li>
      <div className="row between gap-12">
        <span className="shrink anywhere">{text}</span>
        <ActionState action={action} />
      </div>
      <div className="meta">
        {startTime > 0 && formatTime(startTime, clock)}
        {endTime > 0 && t('　用时 {duration}', { duration: tookText(endTime - startTime) })}
        {about && `　${about}`}
      </div>
      {msg && <div className={ok ? 'meta' : 'meta tone-error'}>{msg}</div>}
      {refused.length > 0 && (
        <ul className="bare-list">
          {refused.slice(0, shownDevices).map((device) => (
            <li key={`${device.productID}/${device.deviceName}`}>
              <DeviceLink device={device} /> <RefusedBy code={device.code} />
            </li>
          ))}
          {refused.length > shownDevices && (
            <li className="meta">{t('还有 {count} 台失败', { count: refused.length - shownDevices })}</li>
          )}
        </ul>
      )}
    </li>
  )
}

interface RunProps {
  run: SceneLog
  onTrace: (tranceID: string) => void
}

/** The whole story of one run: what started it, what was checked, what was done. */
function RunDetail({ run, onTrace }: RunProps) {
  const { deviceName, tranceID, conditions, actions, triggerText, userName } = run
  return (
    <div className="run-detail head-fill round-6">
      <h4 className="meta">{t('触发')}</h4>
      <div className="run-trigger row wrap gap-12 tight">
        <span>{triggerText || '—'}</span>
        {deviceName && <DeviceLink device={run} />}
        {userName && !triggerText.includes(userName) && (
          <span className="meta">{t('执行人 {userName}', { userName })}</span>
        )}
        {tranceID && (
          <Button type="link" size="small" onClick={() => onTrace(tranceID)}>
            {t('消息跟踪')}
          </Button>
        )}
      </div>
      {conditions.length > 0 && (
        <>
          <h4 className="meta">{t('条件')}</h4>
          <CheckedConditions conditions={conditions} />
        </>
      )}
      {actions.length > 0 && (
        <>
          <h4 className="meta">{t('动作')}</h4>
          <ol className="run-steps bare-list">
            {withIndex(actions).map(({ no, item }) => (
              <ActionStep key={no} action={item} />
            ))}
          </ol>
        </>
      )}
    </div>
  )
}

/** One run in a line; the rest of it opens below. */
export function RunEntry({ run, onTrace }: RunProps) {
  const [open, setOpen] = useState(false)
  const who = startedBy(run)
  const { tone } = resultLook(run.result)
  return (
    <li className="run-entry">
      <button
        type="button"
        className="plain-button run-line hover-fill grid wide start"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <RightOutlined className="run-caret quiet" aria-hidden="true" />
        <RunIcon result={run.result} />
        <time className="run-time nowrap softer">{formatTime(run.startTime, 'MM-DD HH:mm:ss')}</time>
        <span className="run-who cut shrink" title={who}>
          {who}
        </span>
        <span className="run-summary shrink anywhere softer">
          <span className={tone === 'error' || tone === 'warning' ? `tone-${tone}` : ''}>{runSummary(run)}</span>
        </span>
        {run.latency > 0 && run.result !== RunResult.missed && (
          <span className="run-latency" title={t('从触发到首个动作')}>
            <Latency ms={run.latency} />
          </span>
        )}
      </button>
      {open && <RunDetail run={run} onTrace={onTrace} />}
    </li>
  )
}
