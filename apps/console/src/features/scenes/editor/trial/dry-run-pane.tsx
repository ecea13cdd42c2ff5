import { PlayCircleOutlined } from '@ant-design/icons'
import { useMutation } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { describeError } from '#kit/states/describe-error.ts'
import { dryRun } from '../../queries.ts'
import { useEditor } from '../editor-context.ts'
import { textsOf } from '../logic/draft.ts'
import { trialBlock, trialKey } from '../logic/trial-state.ts'
import { type DryRunOutcome, DryRunResult } from './dry-run-result.tsx'
import { emptySample, messageOf, type Sample, SampleForm } from './sample-form.tsx'

interface Tried {
  result: DryRunOutcome
  /** Of what was tried. */
  key: string
}

/** A sample against the unsaved scene; nothing is sent, no alarm is raised. */
export function DryRunPane() {
  const editor = useEditor()
  const { draft, scene } = editor
  const [sample, setSample] = useState<Sample>(emptySample)
  const key = trialKey(draft)
  const needsDevice = draft.triggerType === 'device'
  const run = useMutation({
    mutationFn: async (): Promise<Tried> => {
      const body = { name: draft.name.slice(0, 64), ...textsOf(draft), ...(scene && { id: scene.id }) }
      const message = needsDevice ? messageOf(sample) : undefined
      return { result: await dryRun({ scene: body, ...(message && { message }) }), key }
    },
  })
  const noDevice = needsDevice && sample.deviceName === '' ? '选一台设备作为样例' : undefined
  const why = trialBlock(editor, '试运行') ?? noDevice
  return (
    <section className="sheet trial-card" aria-label="试运行">
      <div className="trial-head">
        <h2>试运行</h2>
        <span className="meta">不下发、不产生告警</span>
        <Button
          icon={<PlayCircleOutlined />}
          disabled={why !== undefined}
          title={why}
          loading={run.isPending}
          onClick={() => run.mutate()}
        >
          运行
        </Button>
      </div>
      {needsDevice ? (
        <SampleForm sample={sample} onChange={setSample} />
      ) : (
        <p className="meta">
          {draft.triggerType === 'timer'
            ? '假设现在到点：判断条件，列出将执行的动作。'
            : '假设现在执行：列出将执行的动作。'}
        </p>
      )}
      {why && <p className="meta">{why}</p>}
      {run.isError && <Alert type="error" showIcon title={describeError(run.error).reason} />}
      {run.data?.key === key && <DryRunResult result={run.data.result} />}
    </section>
  )
}
