import { CheckCircleFilled, CloseCircleFilled, DeleteOutlined, PlayCircleOutlined } from '@ant-design/icons'
import { ScriptDirection, saveDraft, type TestCase } from '@ithings/contract/features/scripts.ts'
import { t } from '@ithings/contract/text.ts'
import { Button, Tooltip } from 'antd'
import { numberText } from '#kit/number-text.ts'
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
  if (hasPassed(result))
    return { ok: true, text: t('通过，{milliseconds} ms', { milliseconds: numberText(result.milliseconds, 1, 1) }) }
  if (result.ok) return { ok: false, text: result.modelIssues[0] ?? '' }
  const { line, error } = result
  return { ok: false, text: line > 0 ? t('第 {line} 行：{error}', { line, error }) : error }
}

/** Messages worth keeping: each can be run again after a change, or all of them. */
export function CaseList({ cases, verdicts, busy, onRun, onOpen, onRemove }: CaseListProps) {
  const judged = cases.flatMap((one) => verdicts.get(one.name) ?? []).map(verdictText)
  const passed = judged.filter((verdict) => verdict.ok).length
  return (
    <section className="case-list line-above" aria-label={t('测试用例')}>
      <div className="high-32 row gap-8">
        <b>{t('测试用例')}</b>
        <span className="meta grow" role="status">
          {judged.length > 0
            ? t('{passed} / {count} 通过', { passed, count: cases.length })
            : t('共 {count} 个', { count: cases.length })}
        </span>
        <Button size="small" disabled={busy || cases.length === 0} onClick={() => onRun(cases)}>
          {t('全部运行')}
        </Button>
      </div>
      {cases.length === 0 && (
        <p className="meta bare above-4">{t('执行一条消息后可以「存为用例」，改动脚本后一次重跑。')}</p>
      )}
      <ul className="above-8 bare-list">
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
    <li className="case-row line-above flex top gap-8">
      <span className="fixed" style={{ width: 16 }}>
        {verdict &&
          (verdict.ok ? (
            <CheckCircleFilled className="tone-success" aria-label={t('通过')} />
          ) : (
            <CloseCircleFilled className="tone-error" aria-label={t('未通过')} />
          ))}
      </span>
      <span className="column grow shrink">
        <button type="button" className="plain-button start tone-processing cut" onClick={onOpen}>
          {one.name}
        </button>
        <span className="meta">
          {one.direction === ScriptDirection.up ? t('上报') : t('下发')} ·{' '}
          <span className="mono-payload">{one.handler}</span>
        </span>
        {verdict && !verdict.ok && <span className="meta tone-error anywhere">{verdict.text}</span>}
      </span>
      <Tooltip title={t('运行')}>
        <Button
          type="text"
          size="small"
          icon={<PlayCircleOutlined />}
          disabled={busy}
          aria-label={t('运行 {name}', { name: one.name })}
          onClick={onRun}
        />
      </Tooltip>
      <May needs={saveDraft}>
        <Tooltip title={t('删除')}>
          <Button
            type="text"
            size="small"
            icon={<DeleteOutlined />}
            disabled={busy}
            aria-label={t('删除 {name}', { name: one.name })}
            onClick={onRemove}
          />
        </Tooltip>
      </May>
    </li>
  )
}
