import type { CheckedCondition, LoggedAction, SceneLog } from '@ithings/contract/features/scenes/log.ts'
import { Button } from 'antd'
import { DeviceLink } from '#blocks/device-link.tsx'
import { resultOf } from '#blocks/log-table/result-view.ts'
import { numbered } from '#kit/numbered.ts'
import { StatusTag } from '#kit/status-tag.tsx'
import { formatTime } from '#kit/time.ts'
import { CheckIcon } from './run-icon.tsx'
import { devicesText, okCode, tookText } from './run-words.ts'

const clock = 'HH:mm:ss.SSS'
const shownDevices = 5

/** What was looked at, with the value that was seen. */
export function CheckedConditions({ conditions }: { conditions: readonly CheckedCondition[] }) {
  return (
    <ul className="run-checks bare-list">
      {numbered(conditions).map(({ no, item: { ok, text, value, level } }) => (
        <li key={no} style={{ paddingInlineStart: level * 20 }}>
          <CheckIcon ok={ok} />
          <span className={ok ? '' : 'softer'}>{text}</span>
          <b>{value || '—'}</b>
        </li>
      ))}
    </ul>
  )
}

function ActionState({ action: { ok, code } }: { action: LoggedAction }) {
  if (code === 0) return <StatusTag filled text="执行中" tone="processing" />
  return (
    <StatusTag filled text={ok ? '成功' : code === okCode ? '失败' : String(code)} tone={ok ? 'success' : 'error'} />
  )
}

/** Why a device did not do it: the word, and on hover what helps. */
function RefusedBy({ code }: { code: number }) {
  const { text, advice } = resultOf({ resultType: String(code), msg: '' })
  return (
    <span className="run-why" title={advice || undefined}>
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
        {endTime > 0 && `　用时 ${tookText(endTime - startTime)}`}
        {about && `　${about}`}
      </div>
      {msg && <div className={ok ? 'meta' : 'run-why'}>{msg}</div>}
      {refused.length > 0 && (
        <ul className="bare-list">
          {refused.slice(0, shownDevices).map((device) => (
            <li key={`${device.productID}/${device.deviceName}`}>
              <DeviceLink device={device} /> <RefusedBy code={device.code} />
            </li>
          ))}
          {refused.length > shownDevices && <li className="meta">还有 {refused.length - shownDevices} 台失败</li>}
        </ul>
      )}
    </li>
  )
}

interface RunDetailProps {
  run: SceneLog
  onTrace: (tranceID: string) => void
}

/** The whole story of one run: what started it, what was checked, what was done. */
export function RunDetail({ run, onTrace }: RunDetailProps) {
  const { deviceName, tranceID, conditions, actions, triggerText, userName } = run
  return (
    <div className="run-detail">
      <h4>触发</h4>
      <div className="run-trigger row wrap">
        <span>{triggerText || '—'}</span>
        {deviceName && <DeviceLink device={run} />}
        {userName && !triggerText.includes(userName) && <span className="meta">执行人 {userName}</span>}
        {tranceID && (
          <Button type="link" size="small" onClick={() => onTrace(tranceID)}>
            消息跟踪
          </Button>
        )}
      </div>
      {conditions.length > 0 && (
        <>
          <h4>条件</h4>
          <CheckedConditions conditions={conditions} />
        </>
      )}
      {actions.length > 0 && (
        <>
          <h4>动作</h4>
          <ol className="run-steps bare-list">
            {numbered(actions).map(({ no, item }) => (
              <ActionStep key={no} action={item} />
            ))}
          </ol>
        </>
      )}
    </div>
  )
}
