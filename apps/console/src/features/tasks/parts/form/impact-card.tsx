import { Button, Skeleton, Switch } from 'antd'
import { useId } from 'react'
import { StackedProgress } from '#blocks/stacked-progress.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { StatusTag } from '#kit/status-tag.tsx'
import { reached } from '../../draft/task-draft.ts'
import type { StepProps } from './step-props.ts'

const figure = (count: number) => count.toLocaleString()

interface ImpactCardProps extends Pick<StepProps, 'draft' | 'change' | 'reach'> {
  /** What is still to be chosen. */
  waiting: string
}

/** screens.md 7.1: 将影响 n 台 (在线 a / 离线 b / 未激活 c), resolved by the server. */
export function ImpactCard({ draft, change, reach: view, waiting }: ImpactCardProps) {
  const id = useId()
  const { reach } = view
  const count = reach && reached(reach, draft.onlineOnly)
  const all = reach ? reach.online + reach.offline + reach.inactive : 0
  const quiet = draft.onlineOnly ? 'impact-left-out' : ''
  return (
    <section className="impact-card column gap-10" aria-live="polite">
      <div className="impact-head between">
        <span className="impact-figure softer">
          将影响 <b>{count === undefined ? '—' : figure(count)}</b> 台
        </span>
        <label className="impact-switch" htmlFor={id}>
          仅在线设备
          <Switch id={id} size="small" checked={draft.onlineOnly} onChange={(onlineOnly) => change({ onlineOnly })} />
        </label>
      </div>
      {reach ? (
        <>
          <StackedProgress
            thick
            label="将影响的设备"
            total={all}
            parts={[
              { label: '在线', value: reach.online, tone: 'success' },
              { label: '离线', value: reach.offline, tone: 'error' },
              { label: '未激活', value: reach.inactive, tone: 'warning' },
            ]}
          />
          <div className="impact-parts">
            <span>
              <StatusTag text="在线" tone="success" /> <b>{figure(reach.online)}</b>
            </span>
            <span className={quiet}>
              <StatusTag text="离线" tone="error" /> <b>{figure(reach.offline)}</b>
            </span>
            <span className={quiet}>
              <StatusTag text="未激活" tone="warning" ring /> <b>{figure(reach.inactive)}</b>
            </span>
            <span className="meta">范围内共 {figure(all)} 台</span>
          </div>
          {draft.onlineOnly && reach.offline + reach.inactive > 0 && (
            <p className="impact-note">
              跳过 {figure(reach.offline + reach.inactive)} 台：离线 {figure(reach.offline)} 台、未激活{' '}
              {figure(reach.inactive)} 台，因「仅在线设备」不下发
            </p>
          )}
        </>
      ) : view.error ? (
        <p className="impact-note tone-error" role="alert">
          {describeError(view.error).reason}
          <Button type="link" size="small" onClick={view.retry}>
            重试
          </Button>
        </p>
      ) : view.loading ? (
        <Skeleton active title={false} paragraph={{ rows: 1 }} />
      ) : (
        <p className="impact-note">{waiting}</p>
      )}
    </section>
  )
}
