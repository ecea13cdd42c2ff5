import { CheckCircleFilled, CloseCircleFilled, DeleteOutlined, PlayCircleOutlined } from '@ant-design/icons'
import { ScriptDirection, saveDraft, type TestCase } from '@ithings/contract/features/scripts.ts'
import { Button, Tooltip } from 'antd'
import { May } from '#kit/rights.tsx'
import { hasPassed, type Outcome } from './use-test-bench.ts'

interface CaseListProps {
  cases: readonly TestCase[]
  verdicts: ReadonlyMap<string, Outcome>
  busy: boolean
  onRun: (cases: readonly TestCase[]) => void
  onOpen: (one: TestCase) => void
  onRemove: (one: TestCase) => void
}

function verdictText(outcome: Outcome): { ok: boolean; text: string } {
  if ('failure' in outcome) return { ok: false, text: outcome.failure }
  const { result } = outcome
  if (hasPassed(result)) return { ok: true, text: `通过，${result.milliseconds.toFixed(1)} ms` }
  const line = result.line > 0 ? `第 ${result.line} 行：` : ''
  return { ok: false, text: result.ok ? (result.modelIssues[0] ?? '') : `${line}${result.error}` }
}

/** Messages worth keeping: each can be run again after a change, or all of them. */
export function CaseList({ cases, verdicts, busy, onRun, onOpen, onRemove }: CaseListProps) {
  const judged = cases.flatMap((one) => verdicts.get(one.name) ?? []).map(verdictText)
  const passed = judged.filter((verdict) => verdict.ok).length
  return (
    <section className="case-list" aria-label="测试用例">
      <div className="case-head row gap-8">
        <b>测试用例</b>
        <span className="meta grow" role="status">
          {judged.length > 0 ? `${passed} / ${cases.length} 通过` : `共 ${cases.length} 个`}
        </span>
        <Button size="small" disabled={busy || cases.length === 0} onClick={() => onRun(cases)}>
          全部运行
        </Button>
      </div>
      {cases.length === 0 && <p className="meta case-none">执行一条消息后可以「存为用例」，改动脚本后一次重跑。</p>}
      <ul className="case-rows bare-list">
        {cases.map((one) => (
          <CaseRow
            key={one.name}
            one={one}
            outcome={verdicts.get(one.name)}
            busy={busy}
            onRun={() => onRun([one])}
            onOpen={() => onOpen(one)}
            onRemove={() => onRemove(one)}
          />
        ))}
      </ul>
    </section>
  )
}

interface CaseRowProps {
  one: TestCase
  outcome: Outcome | undefined
  busy: boolean
  onRun: () => void
  onOpen: () => void
  onRemove: () => void
}

function CaseRow({ one, outcome, busy, onRun, onOpen, onRemove }: CaseRowProps) {
  const verdict = outcome && verdictText(outcome)
  return (
    <li className="case-row flex top gap-8">
      <span className="case-mark fixed">
        {verdict &&
          (verdict.ok ? (
            <CheckCircleFilled className="tone-success" aria-label="通过" />
          ) : (
            <CloseCircleFilled className="tone-error" aria-label="未通过" />
          ))}
      </span>
      <span className="column grow shrink">
        <button type="button" className="plain-button case-name tone-processing cut" onClick={onOpen}>
          {one.name}
        </button>
        <span className="meta">
          {one.direction === ScriptDirection.up ? '上报' : '下发'} · <span className="mono-payload">{one.handler}</span>
        </span>
        {verdict && !verdict.ok && <span className="meta tone-error anywhere">{verdict.text}</span>}
      </span>
      <Tooltip title="运行">
        <Button
          type="text"
          size="small"
          icon={<PlayCircleOutlined />}
          disabled={busy}
          aria-label={`运行 ${one.name}`}
          onClick={onRun}
        />
      </Tooltip>
      <May needs={saveDraft}>
        <Tooltip title="删除">
          <Button
            type="text"
            size="small"
            icon={<DeleteOutlined />}
            disabled={busy}
            aria-label={`删除 ${one.name}`}
            onClick={onRemove}
          />
        </Tooltip>
      </May>
    </li>
  )
}
