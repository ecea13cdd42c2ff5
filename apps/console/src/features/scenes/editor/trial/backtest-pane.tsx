import { HistoryOutlined, ReloadOutlined } from '@ant-design/icons'
import { type Job, JobStatus } from '@ithings/contract/features/jobs.ts'
import { type BacktestReport, backtestReport, startBacktest } from '@ithings/contract/features/scenes/trial.ts'
import { t } from '@ithings/contract/text.ts'
import { Alert, Button, DatePicker, Select, Spin } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { call } from '#api/call.ts'
import { JobProgress } from '#blocks/job-progress.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { useEditor } from '../editor-context.ts'
import { backtestDays, lastDays, rangeProblem, trialBlock, trialKey, trialScene } from '../logic/trial.ts'
import { BacktestResult } from './backtest-result.tsx'
import { TrialCard } from './trial-card.tsx'

interface TimeSpan {
  timeStart: number
  timeEnd: number
}

interface Asked extends TimeSpan {
  /** Of what was tried. */
  key: string
}

type Stage =
  | { kind: 'none' }
  | { kind: 'starting' }
  | { kind: 'running'; jobID: string; asked: Asked }
  | { kind: 'done'; jobID: string; report: BacktestReport; asked: Asked }
  | { kind: 'failed'; text: string }

/** A job that ended says what it found, or why it found nothing. */
function stageOf(job: Job, asked: Asked): Stage {
  if (job.status === JobStatus.cancelled) return { kind: 'failed', text: t('回测已取消') }
  if (job.status !== JobStatus.done) return { kind: 'failed', text: job.error || t('回测失败') }
  const report = backtestReport.safeParse(JSON.parse(job.result || 'null'))
  return report.success
    ? { kind: 'done', jobID: job.jobID, report: report.data, asked }
    : { kind: 'failed', text: t('回测结果无法读取') }
}

const typingPause = 800

const dayOptions = () => [
  ...backtestDays.map((days) => ({ value: days as number, label: t('近 {count} 天', { count: days }) })),
  { value: 0, label: t('自定义') },
]

/** How far the newest backtest has come; what it found belongs to the rule that was tried. */
function useBacktest() {
  const editor = useEditor()
  const [reached, setStage] = useState<Stage>({ kind: 'none' })
  const key = trialKey(editor.draft)
  const stage: Stage = 'asked' in reached && reached.asked.key !== key ? { kind: 'none' } : reached

  const start = async (range: TimeSpan) => {
    const asked = { ...range, key }
    setStage({ kind: 'starting' })
    try {
      const scene = trialScene(editor)
      const { jobID, ...found } = await call(
        startBacktest,
        { scene, ...(editor.scene && { id: editor.scene.id }), ...range },
        { quiet: true },
      )
      const report = backtestReport.safeParse(found)
      setStage(report.success ? { kind: 'done', jobID, report: report.data, asked } : { kind: 'running', jobID, asked })
    } catch (error) {
      setStage({ kind: 'failed', text: describeError(error).reason })
    }
  }
  const end = (job: Job, asked: Asked) => setStage(stageOf(job, asked))
  return { stage, key, start, end, block: trialBlock(editor, t('回测')) }
}

/** Starts by itself when nobody has typed for a moment, and not again for the same question. */
function useAutoStart(idle: boolean, question: string, start: () => void): void {
  const answered = useRef('')
  const ask = useEffectEvent(() => {
    answered.current = question
    start()
  })
  useEffect(() => {
    if (!idle || answered.current === question) return
    const timer = setTimeout(ask, typingPause)
    return () => clearTimeout(timer)
  }, [idle, question])
}

/** Stored values replayed against the unsaved scene, beside the saved one. */
export function BacktestPane({ live = false }: { live?: boolean }) {
  const [days, setDays] = useState(7)
  const [custom, setCustom] = useState<[Dayjs, Dayjs]>(() => [dayjs().subtract(1, 'day'), dayjs()])
  const { stage, key, start, end, block } = useBacktest()
  const [from, to] = custom.map((time) => time.valueOf()) as [number, number]
  const why = block ?? (days === 0 ? rangeProblem(from, to) : undefined)
  const busy = stage.kind === 'starting' || stage.kind === 'running'
  const run = () => void start(days === 0 ? { timeStart: from, timeEnd: to } : lastDays(days, Date.now()))
  useAutoStart(live && days !== 0 && why === undefined && !busy, `${days} ${key}`, run)
  return (
    <TrialCard
      title={t('回测')}
      head={
        <>
          <Select
            aria-label={t('回测范围')}
            variant="borderless"
            style={{ marginInlineStart: -8 }}
            popupMatchSelectWidth={false}
            value={days}
            options={dayOptions()}
            onChange={setDays}
          />
          <Button
            className="to-end"
            icon={stage.kind === 'done' ? <ReloadOutlined /> : <HistoryOutlined />}
            disabled={why !== undefined || busy}
            title={why}
            onClick={run}
          >
            {stage.kind === 'done' ? t('重新回测') : t('回测')}
          </Button>
        </>
      }
    >
      {days === 0 && (
        <DatePicker.RangePicker
          aria-label={t('自定义范围')}
          className="wide"
          showTime
          allowClear={false}
          value={custom}
          disabledDate={(date) => date.isAfter(dayjs())}
          onChange={(range) => range?.[0] && range[1] && setCustom([range[0], range[1]])}
        />
      )}
      {why && <p className="meta">{why}</p>}
      {stage.kind === 'none' && !why && (
        <p className="meta">
          {t(
            '用已存的历史数据重放当前草稿，看看会触发几次，并与已保存的版本比较。不执行任何动作。补报的旧值也按其时间重放，实际运行时它们不触发。',
          )}
        </p>
      )}
      {stage.kind === 'starting' && (
        <div className="row softer gap-8" role="status">
          <Spin size="small" /> {t('正在重放历史数据…')}
        </div>
      )}
      {stage.kind === 'running' && (
        <JobProgress key={stage.jobID} jobID={stage.jobID} onEnd={(job) => end(job, stage.asked)} />
      )}
      {stage.kind === 'failed' && <Alert type="warning" showIcon title={stage.text} />}
      {stage.kind === 'done' && (
        <BacktestResult
          jobID={stage.jobID}
          report={stage.report}
          from={stage.asked.timeStart}
          to={stage.asked.timeEnd}
        />
      )}
    </TrialCard>
  )
}
