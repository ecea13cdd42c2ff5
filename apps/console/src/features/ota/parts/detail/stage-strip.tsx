import { CheckCircleFilled, ClockCircleOutlined, StopFilled, StopOutlined, SyncOutlined } from '@ant-design/icons'
import { OtaStatus, OtaTaskStatus } from '@ithings/contract/features/ota/states.ts'
import type { OtaTask } from '@ithings/contract/features/ota/task.ts'
import { t } from '@ithings/contract/text.ts'
import { type ProgressPart, StackedProgress } from '#blocks/stacked-progress.tsx'
import { numberText } from '#kit/number-text.ts'
import { formatTime } from '#kit/time.ts'
import { isTaskOpen } from '../../labels.ts'
import {
  barParts,
  countOf,
  endedOf,
  expectedEnd,
  percentText,
  type StageState,
  shownStages,
  stageNo,
  stageState,
} from '../../progress.ts'

type Stage = OtaTask['stages'][number]

const icons: Record<StageState, React.ReactNode> = {
  passed: <CheckCircleFilled className="tone-success" aria-hidden="true" />,
  working: <SyncOutlined className="tone-processing" aria-hidden="true" />,
  halted: <StopFilled className="tone-error" aria-hidden="true" />,
  cancelled: <StopOutlined className="quiet" aria-hidden="true" />,
  waiting: <ClockCircleOutlined className="quiet" aria-hidden="true" />,
}

const tones: Partial<Record<StageState, string>> = { passed: 'tone-success', halted: 'tone-error' }

/** In short, in the colours of the bar; what is not there is not named, except success and failure. */
const parts: { status: OtaStatus; label: string; tone?: ProgressPart['tone']; always?: boolean }[] = [
  { status: OtaStatus.success, label: '成功', tone: 'success', always: true },
  { status: OtaStatus.failed, label: '失败', tone: 'error', always: true },
  { status: OtaStatus.higher, label: '版本过高', tone: 'warning' },
  { status: OtaStatus.updating, label: '升级中', tone: 'processing' },
  { status: OtaStatus.pushed, label: '已推送', tone: 'pushed' },
  { status: OtaStatus.waiting, label: '未开始' },
  { status: OtaStatus.cancelled, label: '已取消' },
]

/** How far it is, who is waited for, and when the others are done. */
function progressWords(stage: Stage): string {
  const now = Date.now() / 1000
  const expected = expectedEnd(stage, now)
  const end = expected && formatTime(expected, expected - now > 86_400 ? 'MM-DD HH:mm' : 'HH:mm')
  const percent = percentText((endedOf(stage.counts) / stage.devices) * 100)
  const count = stage.away
  if (count > 0) {
    return end === undefined
      ? t('{percent} 完成，{count, number} 台离线，等待中', { percent, count })
      : t('{percent} 完成，预计 {end}，{count, number} 台离线，等待中', { percent, end, count })
  }
  return end === undefined ? t('{percent} 完成', { percent }) : t('{percent} 完成，预计 {end}', { percent, end })
}

function verdict(task: OtaTask, stage: Stage, state: StageState): string {
  if (state === 'halted') return t('已自动停止')
  if (state === 'cancelled') return t('已取消')
  if (state === 'waiting') return isTaskOpen(task) ? t('等待中') : t('没有开始')
  if (state === 'passed') return isTaskOpen(task) ? t('已通过') : t('已结束')
  if (task.paused === 1) return t('已暂停')
  if (task.status === OtaTaskStatus.waiting) return t('还没有推送')
  return progressWords(stage)
}

/** What has to happen next, in words. */
function outlook(task: OtaTask, stage: Stage, index: number, state: StageState): string {
  const next = task.stages.slice(index + 1).find(({ devices }) => devices > 0)
  if (state === 'waiting') return isTaskOpen(task) ? t('上一阶段通过后自动开始') : ''
  if (stage.startedTime === 0 && !isTaskOpen(task)) return ''
  if (state === 'passed' || state === 'cancelled') {
    const end = next?.startedTime || task.finishedTime
    return `${formatTime(stage.startedTime, 'MM-DD HH:mm')}${end ? ` – ${formatTime(end, 'HH:mm')}` : ''}`
  }
  return next
    ? t('成功率 ≥ {successPercent}% 进入下一阶段', { successPercent: stage.successPercent })
    : t('最后一个阶段')
}

function StageCell({ task, stage, index }: { task: OtaTask; stage: Stage; index: number }) {
  const state = stageState(task, index, isTaskOpen(task))
  // A stage that has not begun has nothing to count.
  const begun = state !== 'waiting' || stage.startedTime > 0
  const shown = parts.filter(({ status, always }) => begun && (always || countOf(stage.counts, status) > 0))
  return (
    <li className={`stage-cell stage-${state}`} aria-current={state === 'working' ? 'step' : undefined}>
      <div className="stage-head row nowrap gap-8" style={{ marginBottom: 6 }}>
        {icons[state]}
        <b>
          {task.stages.length > 1
            ? t('阶段 {stageNo} · {percent}%', { stageNo: stageNo(task.stages, index), percent: stage.percent })
            : `${stage.percent}%`}
        </b>
        <span className="meta">{t('{count, number} 台', { count: stage.devices })}</span>
        <span className={`stage-verdict clip to-end ${tones[state] ?? 'softer'}`}>{verdict(task, stage, state)}</span>
      </div>
      <StackedProgress
        thick
        label={t('阶段 {stageNo}', { stageNo: stageNo(task.stages, index) })}
        total={stage.devices}
        parts={barParts(stage.counts)}
      />
      <div className="stage-foot gap-16 line-18 row nowrap small softer">
        {shown.length > 0 && (
          <span className="inline-row wrap" style={{ gap: '0 12px' }}>
            {shown.map(({ status, label, tone = 'none' }) => (
              <span key={status} className={`rollout-key stacked-${tone}`}>
                {t(label)} {numberText(countOf(stage.counts, status))}
              </span>
            ))}
          </span>
        )}
        <span className={shown.length > 0 ? 'stage-verdict clip to-end softer' : undefined}>
          {outlook(task, stage, index, state)}
        </span>
      </div>
    </li>
  )
}

/** screens.md 22: the stages side by side, the one at work widest. */
export function StageStrip({ task }: { task: OtaTask }) {
  const shown = shownStages(task.stages)
  if (shown.length === 0) return null
  return (
    <ol className="sheet stage-strip bare-list flex" aria-label={t('阶段')}>
      {shown.map(({ no, item }) => (
        <StageCell key={no} task={task} stage={item} index={no} />
      ))}
    </ol>
  )
}
