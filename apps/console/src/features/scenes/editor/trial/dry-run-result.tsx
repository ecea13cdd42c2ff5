import { CheckCircleFilled, CloseCircleFilled } from '@ant-design/icons'
import type { DataOf } from '@ithings/contract/endpoint.ts'
import type { CheckedCondition } from '@ithings/contract/features/scenes/log.ts'
import type { dryRunScene } from '@ithings/contract/features/scenes/trial.ts'
import { numbered } from '#kit/numbered.ts'

export type DryRunOutcome = DataOf<typeof dryRunScene>

/** Microseconds as people read them. */
const tookText = (micros: number): string => `${(micros / 1000).toFixed(micros < 10_000 ? 1 : 0)} 毫秒`

function CheckRow({ row }: { row: CheckedCondition }) {
  return (
    <li className="check-row flex baseline gap-8" style={{ paddingInlineStart: row.level * 20 }}>
      {row.ok ? (
        <CheckCircleFilled className="check-ok" role="img" aria-label="成立" />
      ) : (
        <CloseCircleFilled className="check-no" role="img" aria-label="不成立" />
      )}
      <span className="grow shrink anywhere">{row.text}</span>
      <b className="check-value">{row.value || '—'}</b>
    </li>
  )
}

/** The verdict, then each condition with the value seen, then what would be done. */
export function DryRunResult({ result }: { result: DryRunOutcome }) {
  const { fired, reason, triggers, conditions, actions, latency } = result
  return (
    <div className="column shrink gap-8" aria-live="polite">
      <div className={fired ? 'verdict row wrap verdict-yes' : 'verdict row wrap verdict-no'}>
        {fired ? <CheckCircleFilled /> : <CloseCircleFilled />}
        <b>{fired ? '会触发' : '不会触发'}</b>
        <span className="to-end anywhere small softer">
          {fired ? `将执行 ${actions.length} 个动作` : reason || '触发或条件不成立'} · 判断用时 {tookText(latency)}
        </span>
      </div>
      <ul className="bare-list">
        {numbered([...triggers, ...conditions]).map(({ no, item }) => (
          <CheckRow key={no} row={item} />
        ))}
      </ul>
      {actions.length > 0 && (
        <>
          <div className="small quiet">{fired ? '将执行' : '触发后会执行'}</div>
          <ol className="planned bare-list">
            {numbered(actions).map(({ no, item }) => (
              <li key={no}>{item.text}</li>
            ))}
          </ol>
        </>
      )}
    </div>
  )
}
