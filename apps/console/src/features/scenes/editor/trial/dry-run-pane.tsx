import { CheckCircleFilled, CloseCircleFilled, PlayCircleOutlined } from '@ant-design/icons'
import type { DataOf } from '@ithings/contract/endpoint.ts'
import type { CheckedCondition } from '@ithings/contract/features/scenes/log.ts'
import { dryRunScene } from '@ithings/contract/features/scenes/trial.ts'
import { t } from '@ithings/contract/text.ts'
import { useMutation } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { call } from '#api/call.ts'
import { numberText } from '#kit/number-text.ts'
import { describeError } from '#kit/states/describe-error.ts'
import { withIndex } from '#kit/with-index.ts'
import { useEditor } from '../editor-context.ts'
import { trialBlock, trialKey, trialScene } from '../logic/trial.ts'
import { emptySample, messageOf, type Sample, SampleForm } from './sample-form.tsx'
import { TrialCard } from './trial-card.tsx'

interface Tried {
  result: DryRunOutcome
  /** Of what was tried. */
  key: string
}

/** A sample against the unsaved scene; nothing is sent, no alarm is raised. */
export function DryRunPane() {
  const editor = useEditor()
  const { draft } = editor
  const [sample, setSample] = useState<Sample>(emptySample)
  const key = trialKey(draft)
  const needsDevice = draft.triggerType === 'device'
  const run = useMutation({
    mutationFn: async (): Promise<Tried> => {
      const body = { scene: trialScene(editor), ...(needsDevice && { message: messageOf(sample) }) }
      return { result: await call(dryRunScene, body, { quiet: true }), key }
    },
  })
  const noDevice = needsDevice && sample.deviceName === '' ? t('选一台设备作为样例') : undefined
  const why = trialBlock(editor, t('试运行')) ?? noDevice
  return (
    <TrialCard
      title={t('试运行')}
      head={
        <>
          <span className="meta">{t('不下发、不产生告警')}</span>
          <Button
            className="to-end"
            icon={<PlayCircleOutlined />}
            disabled={why !== undefined}
            title={why}
            loading={run.isPending}
            onClick={() => run.mutate()}
          >
            {t('运行')}
          </Button>
        </>
      }
    >
      {needsDevice ? (
        <SampleForm sample={sample} onChange={setSample} />
      ) : (
        <p className="meta">
          {draft.triggerType === 'timer'
            ? t('假设现在到点：判断条件，列出将执行的动作。')
            : t('假设现在执行：列出将执行的动作。')}
        </p>
      )}
      {why && <p className="meta">{why}</p>}
      {run.isError && <Alert type="error" showIcon title={describeError(run.error).reason} />}
      {run.data?.key === key && <DryRunResult result={run.data.result} />}
    </TrialCard>
  )
}

type DryRunOutcome = DataOf<typeof dryRunScene>

/** Microseconds as people read them. */
function tookText(micros: number): string {
  const digits = micros < 10_000 ? 1 : 0
  return t('{milliseconds} 毫秒', { milliseconds: numberText(micros / 1000, digits, digits) })
}

function CheckRow({ row }: { row: CheckedCondition }) {
  return (
    <li className="check-row line-bottom flex baseline gap-8" style={{ paddingInlineStart: row.level * 20 }}>
      {row.ok ? (
        <CheckCircleFilled className="tone-success" role="img" aria-label={t('成立')} />
      ) : (
        <CloseCircleFilled className="tone-default" role="img" aria-label={t('不成立')} />
      )}
      <span className="grow shrink anywhere">{row.text}</span>
      <b className="end anywhere" style={{ maxWidth: '45%' }}>
        {row.value || '—'}
      </b>
    </li>
  )
}

/** The verdict, then each condition with the value seen, then what would be done. */
function DryRunResult({ result }: { result: DryRunOutcome }) {
  const { fired, reason, triggers, conditions, actions, latency } = result
  return (
    <div className="column shrink gap-8" aria-live="polite">
      <div className={`verdict pad-8-12 round-6 back-fill row wrap ${fired ? 'tone-success' : 'tone-default'}`}>
        {fired ? <CheckCircleFilled /> : <CloseCircleFilled />}
        <b>{fired ? t('会触发') : t('不会触发')}</b>
        <span className="to-end anywhere small softer">
          {fired ? t('将执行 {count} 个动作', { count: actions.length }) : reason || t('触发或条件不成立')}{' '}
          {t('· 判断用时 {took}', { took: tookText(latency) })}
        </span>
      </div>
      <ul className="bare-list">
        {withIndex([...triggers, ...conditions]).map(({ no, item }) => (
          <CheckRow key={no} row={item} />
        ))}
      </ul>
      {actions.length > 0 && (
        <>
          <div className="small quiet">{fired ? t('将执行') : t('触发后会执行')}</div>
          <ol className="size-13 bare-list softer" style={{ paddingInlineStart: 20, listStyle: 'decimal' }}>
            {withIndex(actions).map(({ no, item }) => (
              <li key={no}>{item.text}</li>
            ))}
          </ol>
        </>
      )}
    </div>
  )
}
