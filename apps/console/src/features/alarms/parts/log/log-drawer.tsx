import { DownOutlined, UpOutlined } from '@ant-design/icons'
import type { AlarmCause, AlarmLog } from '@ithings/contract/features/alarms/record.ts'
import { t } from '@ithings/contract/text.ts'
import { Button, Drawer, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { AlarmLevelMark } from '#blocks/alarm-level.tsx'
import { FactList } from '#blocks/facts.tsx'
import { useTrace } from '#blocks/message-trace/use-trace.tsx'
import { CheckedConditions } from '#blocks/scene-runs/run-icon.tsx'
import { Copyable } from '#kit/copyable.tsx'
import { JsonView } from '#kit/json-view.tsx'
import { scenePath } from '#kit/paths.ts'
import { TimeText } from '#kit/time-text.tsx'
import type { Opened } from '#kit/use-dialog.ts'
import { usePhone } from '#kit/use-phone.ts'
import { causeValue, parseCause } from '../../cause.ts'
import type { Neighbours } from '../../neighbours.ts'

interface LogDrawerProps extends Opened {
  log: AlarmLog | undefined
  alarmName: string
  neighbours: Neighbours<AlarmLog> | undefined
  onShow: (log: AlarmLog) => void
}

function Steps({ neighbours, onShow }: Pick<LogDrawerProps, 'neighbours' | 'onShow'>) {
  const step = (label: string, icon: ReactNode, to: AlarmLog | undefined) => (
    <Tooltip title={label}>
      <Button type="text" icon={icon} aria-label={label} disabled={!to} onClick={() => to && onShow(to)} />
    </Tooltip>
  )
  return (
    <>
      {step(t('上一条'), <UpOutlined />, neighbours?.previous)}
      {step(t('下一条'), <DownOutlined />, neighbours?.next)}
    </>
  )
}

/** One occurrence: what was seen, and the text it was stored as. */
export function LogDrawer({ log, alarmName, neighbours, onShow, ...opened }: LogDrawerProps) {
  const phone = usePhone()
  return (
    <Drawer
      {...opened}
      title={t('告警日志详情')}
      size={phone ? '100%' : 560}
      closable={{ placement: 'end' }}
      extra={<Steps neighbours={neighbours} onShow={onShow} />}
    >
      {log && <LogBody key={log.id} log={log} alarmName={alarmName} />}
    </Drawer>
  )
}

function LogBody({ log, alarmName }: { log: AlarmLog; alarmName: string }) {
  const cause = parseCause(log.serial)
  return (
    <div className="log-body">
      <FactList
        className="log-detail-facts"
        facts={[
          { label: t('告警名称'), value: alarmName },
          { label: t('告警时间'), value: <TimeText value={log.createdTime} mode="log" /> },
          { label: t('告警级别'), value: <AlarmLevelMark level={log.level} /> },
          {
            label: t('场景'),
            value: log.sceneID > 0 ? <Link to={scenePath(log.sceneID)}>{log.sceneName}</Link> : log.sceneName || '—',
          },
          log.desc !== '' && { label: t('说明'), value: log.desc },
        ]}
      />
      <h3>{t('告警流水')}</h3>
      {cause ? (
        <Cause cause={cause} />
      ) : (
        <p className="meta">{log.serial ? t('流水不是可以解析的 JSON，原文如下。') : t('这次告警没有流水。')}</p>
      )}
      {log.serial && (
        <>
          <h3>{t('原始内容')}</h3>
          <JsonView value={log.serial} fileName={`alarm-log-${log.id}.json`} openLevels={3} />
        </>
      )}
    </div>
  )
}

function Cause({ cause }: { cause: AlarmCause }) {
  const { show, drawer } = useTrace()
  const value = causeValue(cause)
  const trace = (
    <>
      <Copyable text={cause.tranceID ?? ''} />
      <Button type="link" size="small" onClick={() => show(cause.tranceID ?? '')}>
        {t('消息跟踪')}
      </Button>
    </>
  )
  return (
    <>
      <FactList
        className="log-detail-facts"
        facts={[
          { label: t('触发'), value: cause.trigger || '—' },
          Boolean(value) && { label: t('触发值'), value },
          Boolean(cause.tranceID) && { label: t('跟踪号'), value: trace },
        ]}
      />
      {cause.conditions && cause.conditions.length > 0 && (
        <CheckedConditions conditions={cause.conditions.map((one) => ({ ...one, level: one.level ?? 0 }))} />
      )}
      {drawer}
    </>
  )
}
