import { CheckCircleFilled, CloseCircleFilled } from '@ant-design/icons'
import type { ScriptResult } from '@ithings/contract/features/scripts.ts'
import { t } from '@ithings/contract/text.ts'
import { Alert } from 'antd'
import { CopyButton } from '#kit/copyable.tsx'
import { JsonView } from '#kit/json-view.tsx'
import { numberText } from '#kit/number-text.ts'
import { spacedHex } from './bench-input.ts'
import { hasPassed, type Outcome } from './use-test-bench.ts'

/** What the function answered, what it printed, what went wrong and what the thing model says. */
export function RunResult({ outcome, onGoTo }: { outcome: Outcome; onGoTo: (line: number) => void }) {
  if ('failure' in outcome)
    return <Alert type="error" showIcon title={t('没有运行：{reason}', { reason: outcome.failure })} />
  const { result } = outcome
  return (
    <section className="run-result line-above column shrink gap-12" aria-label={t('运行结果')} aria-live="polite">
      <RunHead result={result} />
      {!result.ok && (
        <Alert
          type="error"
          title={<span className="mono-payload anywhere">{result.error}</span>}
          {...(result.line > 0 && {
            action: (
              <button
                type="button"
                className="plain-button inline-link tone-processing nowrap"
                onClick={() => onGoTo(result.line)}
              >
                {t('第 {line} 行', { line: result.line })}
              </button>
            ),
          })}
        />
      )}
      {result.modelIssues.length > 0 && (
        <Alert
          type="warning"
          showIcon
          title={t('结果不符合物模型，平台会拒收')}
          description={
            <ul className="bare" style={{ paddingInlineStart: 16 }}>
              {result.modelIssues.map((issue) => (
                <li key={issue}>{issue}</li>
              ))}
            </ul>
          }
        />
      )}
      {result.outputHex !== '' && (
        <div className="column shrink gap-6">
          <span className="softer">
            {t('字节', { context: 'title' })} <CopyButton text={result.outputHex} label={t('复制字节')} />
          </span>
          <div className="mono head-fill pad-8-12 lined round-6 anywhere">{spacedHex(result.outputHex)}</div>
        </div>
      )}
      {result.ok && result.output !== '' && <JsonView value={result.output} openLevels={4} maxHeight={280} />}
      {result.logs.length > 0 && (
        <div className="column shrink gap-6">
          <span className="softer">{t('控制台输出')}</span>
          <pre
            className="mono-payload line-20 scroll head-fill pad-8-12 lined round-6 bare anywhere"
            style={{ maxHeight: 200, whiteSpace: 'pre-wrap' }}
          >
            {result.logs.join('\n')}
          </pre>
        </div>
      )}
    </section>
  )
}

function RunHead({ result }: { result: ScriptResult }) {
  const tone = !result.ok ? 'error' : hasPassed(result) ? 'success' : 'warning'
  const Icon = result.ok ? CheckCircleFilled : CloseCircleFilled
  return (
    <div className={`run-head row bold gap-8 tone-${tone}`}>
      <Icon aria-hidden="true" /> {result.ok ? t('运行成功') : t('运行出错')}{' '}
      <span className="meta">{numberText(result.milliseconds, 1, 1)} ms</span>
    </div>
  )
}
