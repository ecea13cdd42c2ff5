import { CheckCircleFilled, CloseCircleFilled } from '@ant-design/icons'
import type { ScriptResult } from '@ithings/contract/features/products/custom.ts'
import { Alert } from 'antd'
import { CopyButton } from '#kit/copyable.tsx'
import { JsonView } from '#kit/json-view.tsx'
import { spacedHex } from './bench-input.ts'
import { hasPassed, type Outcome } from './use-test-bench.ts'

interface RunResultProps {
  outcome: Outcome
  onGoTo: (line: number) => void
}

/** What the function answered, what it printed, what went wrong and what the thing model says. */
export function RunResult({ outcome, onGoTo }: RunResultProps) {
  if ('failure' in outcome) return <Alert type="error" showIcon title={`没有运行：${outcome.failure}`} />
  const { result } = outcome
  return (
    <section className="run-result" aria-label="运行结果" aria-live="polite">
      <RunHead result={result} />
      {!result.ok && (
        <Alert
          type="error"
          title={<span className="mono-payload run-error">{result.error}</span>}
          {...(result.line > 0 && {
            action: (
              <button type="button" className="plain-button run-line" onClick={() => onGoTo(result.line)}>
                第 {result.line} 行
              </button>
            ),
          })}
        />
      )}
      {result.modelIssues.length > 0 && (
        <Alert
          type="warning"
          showIcon
          title="结果不符合物模型，平台会拒收"
          description={
            <ul className="run-issues">
              {result.modelIssues.map((issue) => (
                <li key={issue}>{issue}</li>
              ))}
            </ul>
          }
        />
      )}
      {result.outputHex !== '' && (
        <div className="run-part">
          <span className="edit-label">
            字节 <CopyButton text={result.outputHex} label="复制字节" />
          </span>
          <div className="mono run-hex">{spacedHex(result.outputHex)}</div>
        </div>
      )}
      {result.ok && result.output !== '' && <JsonView value={result.output} openLevels={4} maxHeight={280} />}
      {result.logs.length > 0 && (
        <div className="run-part">
          <span className="edit-label">控制台输出</span>
          <pre className="mono-payload run-logs bare anywhere">{result.logs.join('\n')}</pre>
        </div>
      )}
    </section>
  )
}

function RunHead({ result }: { result: ScriptResult }) {
  const time = `${result.milliseconds.toFixed(1)} ms`
  if (!result.ok) {
    return (
      <div className="run-head row bold gap-8 tone-error">
        <CloseCircleFilled aria-hidden="true" /> 运行出错 <span className="meta">{time}</span>
      </div>
    )
  }
  return (
    <div
      className={hasPassed(result) ? 'run-head row bold gap-8 tone-success' : 'run-head row bold gap-8 tone-warning'}
    >
      <CheckCircleFilled aria-hidden="true" /> 运行成功 <span className="meta">{time}</span>
    </div>
  )
}
