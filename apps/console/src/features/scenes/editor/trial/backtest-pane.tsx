import { HistoryOutlined, ReloadOutlined } from '@ant-design/icons'
import { type Job, JobStatus } from '@ithings/contract/features/jobs.ts'
import { type BacktestReport, backtestReport } from '@ithings/contract/features/scenes/trial.ts'
import { Alert, Button, DatePicker, Select, Spin } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { JobProgress } from '#blocks/job-progress.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { backtest } from '../../queries.ts'
import { useEditor } from '../editor-context.ts'
import { backtestDays, lastDays, rangeProblem } from '../logic/backtest-range.ts'
import { textsOf } from '../logic/draft.ts'
import { trialBlock, trialKey } from '../logic/trial-state.ts'
import { BacktestResult } from './backtest-result.tsx'

interface Asked {
  timeStart: number
  timeEnd: number
  /** Of what was tried. */
  key: string
}

type Stage =
  | { kind: 'none' }
  | { kind: 'starting' }
  | { kind: 'running'; jobID: string; asked: Asked }
  | { kind: 'done'; report: BacktestReport; asked: Asked }
  | { kind: 'failed'; text: string }

/** A job that ended says what it found, or why it found nothing. */
function stageOf(job: Job, asked: Asked): Stage {
  if (job.status === JobStatus.cancelled) return { kind: 'failed', text: '回测已取消' }
  if (job.status !== JobStatus.done) return { kind: 'failed', text: job.error || '回测失败' }
  const report = backtestReport.safeParse(JSON.parse(job.result || 'null'))
  return report.success ? { kind: 'done', report: report.data, asked } : { kind: 'failed', text: '回测结果无法读取' }
}

const typingPause = 800

const dayOptions = [
  ...backtestDays.map((days) => ({ value: days as number, label: `近 ${days} 天` })),
  { value: 0, label: '自定义' },
]

/** Stored values replayed against the unsaved scene, beside the saved one. */
export function BacktestPane({ live = false }: { live?: boolean }) {
  const editor = useEditor()
  const { draft, scene } = editor
  const [days, setDays] = useState(7)
  const [custom, setCustom] = useState<[Dayjs, Dayjs]>(() => [dayjs().subtract(1, 'day'), dayjs()])
  const [reached, setStage] = useState<Stage>({ kind: 'none' })
  const key = trialKey(draft)
  const stage: Stage = 'asked' in reached && reached.asked.key !== key ? { kind: 'none' } : reached
  const chosen = days === 0 ? rangeProblem(custom[0].valueOf(), custom[1].valueOf()) : undefined
  const why = trialBlock(editor, '回测') ?? chosen
  const busy = stage.kind === 'starting' || stage.kind === 'running'

  const start = async () => {
    const range =
      days === 0 ? { timeStart: custom[0].valueOf(), timeEnd: custom[1].valueOf() } : lastDays(days, Date.now())
    const asked = { ...range, key }
    setStage({ kind: 'starting' })
    try {
      const body = { name: draft.name.slice(0, 64), ...textsOf(draft), ...(scene && { id: scene.id }) }
      const { jobID, ...found } = await backtest({ scene: body, ...(scene && { id: scene.id }), ...range })
      const report = backtestReport.safeParse(found)
      setStage(report.success ? { kind: 'done', report: report.data, asked } : { kind: 'running', jobID, asked })
    } catch (error) {
      setStage({ kind: 'failed', text: describeError(error).reason })
    }
  }
  // By itself when nobody has typed for a moment, and not again for the same question.
  const question = `${days} ${key}`
  const answered = useRef('')
  const ask = useEffectEvent(() => {
    answered.current = question
    void start()
  })
  const idle = live && days !== 0 && why === undefined && !busy
  useEffect(() => {
    if (!idle || answered.current === question) return
    const timer = setTimeout(ask, typingPause)
    return () => clearTimeout(timer)
  }, [idle, question])
  return (
    <section className="sheet trial-card" aria-label="回测">
      <div className="trial-head">
        <h2>回测</h2>
        <Select
          aria-label="回测范围"
          variant="borderless"
          className="trial-range"
          popupMatchSelectWidth={false}
          value={days}
          options={dayOptions}
          onChange={setDays}
        />
        <Button
          icon={stage.kind === 'done' ? <ReloadOutlined /> : <HistoryOutlined />}
          disabled={why !== undefined || busy}
          title={why}
          onClick={() => void start()}
        >
          {stage.kind === 'done' ? '重新回测' : '回测'}
        </Button>
      </div>
      {days === 0 && (
        <DatePicker.RangePicker
          aria-label="自定义范围"
          className="scene-wide"
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
          用已存的历史数据重放当前草稿，看看会触发几次，并与已保存的版本比较。不执行任何动作。补报的旧值也按其时间重放，实际运行时它们不触发。
        </p>
      )}
      {stage.kind === 'starting' && (
        <div className="row softer gap-8" role="status">
          <Spin size="small" /> 正在重放历史数据…
        </div>
      )}
      {stage.kind === 'running' && (
        <JobProgress key={stage.jobID} jobID={stage.jobID} onEnd={(job) => setStage(stageOf(job, stage.asked))} />
      )}
      {stage.kind === 'failed' && <Alert type="warning" showIcon title={stage.text} />}
      {stage.kind === 'done' && (
        <BacktestResult report={stage.report} from={stage.asked.timeStart} to={stage.asked.timeEnd} />
      )}
    </section>
  )
}
