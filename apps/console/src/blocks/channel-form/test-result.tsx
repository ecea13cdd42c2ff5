import type { DataOf } from '@ithings/contract/endpoint.ts'
import type { testChannel } from '@ithings/contract/features/notify.ts'
import { t } from '@ithings/contract/text.ts'
import { Alert } from 'antd'
import './channel-form.css'
import { numberText } from '#kit/number-text.ts'

export type TestResultData = DataOf<typeof testChannel>

/** look.md "Chips": under 500 ms green, to 3 s amber, more red. */
export const latencyTone = (ms: number): 'success' | 'warning' | 'error' =>
  ms < 500 ? 'success' : ms <= 3_000 ? 'warning' : 'error'

export function Latency({ ms }: { ms: number }) {
  return <span className={`latency tone-${latencyTone(ms)}`}>{numberText(ms)} ms</span>
}

/** What the other side said, and how long it took. */
export function TestResult({ result }: { result: TestResultData }) {
  return (
    <Alert
      className="test-result"
      type={result.ok ? 'success' : 'error'}
      showIcon
      role="status"
      title={
        <span className="inline-row gap-8">
          {result.ok ? t('发送成功') : t('发送失败')}
          {result.code > 0 && <span className="mono">{result.code}</span>}
          <Latency ms={result.latency} />
        </span>
      }
      description={result.msg && <span className="anywhere">{result.msg}</span>}
    />
  )
}
