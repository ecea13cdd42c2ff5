import { t } from '@ithings/contract/text.ts'
import type { ModelFunction } from '@ithings/contract/thing-model/affordance.ts'
import type { Param } from '@ithings/contract/thing-model/define.ts'
import { FunctionType } from '@ithings/contract/thing-model/model.ts'
import { Collapse, Segmented } from 'antd'
import { useState } from 'react'
import { exampleParams } from '#blocks/model-form/example-value.ts'
import { ParamsForm } from '#blocks/model-form/params-form.tsx'
import { checkParams } from '#blocks/model-form/value-issues.ts'
import { CopyButton } from '#kit/copyable.tsx'
import { useMemo } from '#language/use-memo.ts'
import { payloadSamples } from '../payload-sample.ts'

/** What the messages of a function carry: the property itself, or the parameters. */
function carried(part: ModelFunction): Param[] {
  switch (part.type) {
    case FunctionType.property:
      return [{ identifier: part.value.identifier, name: part.value.name, define: part.value.define }]
    case FunctionType.event:
      return part.value.params
    case FunctionType.action:
      return part.value.input
  }
}

/** Live messages of what is being defined, with values that can be tried in the very controls it will have. */
export function SampleCard({ part, productID }: { part: ModelFunction; productID: string }) {
  const params = carried(part)
  const shape = JSON.stringify(params)
  const [now] = useState(() => Date.now())
  const [typed, setTyped] = useState<{ shape: string; values: Record<string, unknown> }>()
  const [wanted, setWanted] = useState('')
  const made = useMemo(() => exampleParams(JSON.parse(shape) as Param[], now), [shape, now])
  // Another definition, other values: what was tried before may no longer fit.
  const values = typed?.shape === shape ? typed.values : made
  const samples = payloadSamples(part, { productID, now, values })
  const shown = samples.find((sample) => sample.key === wanted) ?? samples[0]
  if (!shown) return null
  const text = JSON.stringify(shown.payload, null, 2)
  return (
    <section className="sample-card pad-12 head-fill lined round-6 column gap-8" aria-label={t('报文示例')}>
      <div className="row wrap gap-8">
        <b className="grow">{t('报文示例')}</b>
        <Segmented
          size="small"
          aria-label={t('报文')}
          value={shown.key}
          options={samples.map(({ key, label }) => ({ value: key, label }))}
          onChange={setWanted}
        />
        <CopyButton text={text} label={t('复制报文')} />
      </div>
      <div className="mono-payload quiet anywhere">{shown.topic}</div>
      <pre className="mono-payload line-20 scroll bare anywhere" style={{ maxHeight: 320, whiteSpace: 'pre-wrap' }}>
        {text}
      </pre>
      {params.length > 0 && (
        <Collapse
          ghost
          size="small"
          items={[
            {
              key: 'try',
              label: t('试填示例值'),
              children: (
                <ParamsForm
                  params={params}
                  values={values}
                  issues={checkParams(params, values)}
                  onChange={(next) => setTyped({ shape, values: next })}
                />
              ),
            },
          ]}
        />
      )}
    </section>
  )
}
