import type { TaskRun } from '@ithings/contract/features/task-results.ts'
import { cancelTask } from '@ithings/contract/features/tasks.ts'
import { t } from '@ithings/contract/text.ts'
import { Progress, Select } from 'antd'
import { useActs } from '#blocks/rollout/use-acts.ts'
import { numberText } from '#kit/number-text.ts'
import { RichText } from '#kit/rich-text.tsx'
import { ActButton } from '#kit/rights.tsx'
import { labelOf, StatusTag } from '#kit/status-tag.tsx'
import { formatTime } from '#kit/time.ts'
import { TimeText } from '#kit/time-text.tsx'
import { usePhone } from '#kit/use-phone.ts'
import type { TaskDetail } from '../../draft/task-draft.ts'
import { deployLooks, triggerLabels } from '../../labels.ts'
import { useTaskSend } from '../../queries.ts'
import { percentOf } from '../../task-words.ts'

interface RunBandProps {
  task: TaskDetail
  /** The newest first; `count` is how many there are in all. */
  runs: readonly TaskRun[]
  count: number
  run: TaskRun | undefined
  onRun: (runID: string) => void
}

const Figure = ({ label, value, tone = '' }: { label: string; value: number; tone?: string }) => (
  <span className="band-figure column">
    <span className="meta">{label}</span>
    <b className={value > 0 ? tone : ''}>{numberText(value)}</b>
  </span>
)

function Ring({ run }: { run: TaskRun }) {
  const phone = usePhone()
  return (
    <Progress
      type="circle"
      size={phone ? 56 : 72}
      aria-label={t('完成进度')}
      percent={percentOf(run.success + run.failed, run.total)}
      success={{ percent: percentOf(run.success, run.total), strokeColor: 'var(--ok-dot)' }}
      status="normal"
      strokeColor="var(--error-dot)"
      format={(percent) => <span className="bold size-16 main-text">{percent}%</span>}
    />
  )
}

function SkipAway({ taskID, run: { runID, away } }: { taskID: number; run: TaskRun }) {
  const { ask } = useActs()
  const send = useTaskSend()
  const askSkip = () =>
    ask({
      title: t('跳过 {count, number} 台离线的设备？', { count: away }),
      content: t('它们不再重试，这里记为「已取消」。'),
      okText: t('跳过离线'),
      work: () => send(cancelTask, { taskID, runID, away: true }),
    })
  return (
    <ActButton needs={cancelTask} size="small" onClick={askSkip}>
      {t('跳过离线')}
    </ActButton>
  )
}

/** screens.md 7.2: how the chosen run stands, as a ring and in figures. */
export function RunBand({ task, runs, count, run, onRun }: RunBandProps) {
  if (!run) {
    return (
      <div className="run-band pad-12-16 boxed row wrap run-band-none">
        {t('还没有执行')}
        {task.nextRunTime > 0 && (
          <span className="meta">
            <RichText
              text={t('将于 <0/>（{time}）执行', { time: formatTime(task.nextRunTime) })}
              parts={[<TimeText key="time" value={task.nextRunTime} />]}
            />
          </span>
        )}
      </div>
    )
  }
  return (
    <div className="run-band pad-12-16 boxed row wrap">
      <Ring run={run} />
      <div className="band-figures flex">
        <Figure label={t('总数')} value={run.total} />
        <Figure label={t('成功')} value={run.success} tone="tone-success" />
        <Figure label={t('失败')} value={run.failed} tone="tone-error" />
        <Figure label={t('未完成')} value={Math.max(0, run.total - run.success - run.failed)} tone="tone-processing" />
        {run.away > 0 && <Figure label={t('离线，等待重试')} value={run.away} />}
        {run.away > 0 && <SkipAway taskID={task.taskID} run={run} />}
      </div>
      <div className="band-run column to-end gap-4">
        {count > 1 && (
          <Select
            aria-label={t('选择执行批次')}
            value={run.runID}
            options={runs.map((one, index) => ({
              value: one.runID,
              label: t('第 {no} 次 · {time} · {trigger}', {
                no: count - index,
                time: formatTime(one.startedTime, 'MM-DD HH:mm:ss'),
                trigger: labelOf(triggerLabels, one.trigger),
              }),
            }))}
            onChange={(runID) => onRun(runID === task.lastRunID ? '' : runID)}
          />
        )}
        <span className="meta">
          <StatusTag looks={deployLooks} value={run.status} /> {run.reason && `${run.reason} · `}
          {run.finishedTime > 0
            ? t('{from} 至 {to}', { from: formatTime(run.startedTime), to: formatTime(run.finishedTime) })
            : t('{time} 开始', { time: formatTime(run.startedTime), context: 'past' })}
        </span>
      </div>
    </div>
  )
}
