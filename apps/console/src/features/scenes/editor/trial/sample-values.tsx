import type { Param } from '@ithings/contract/thing-model/define.ts'
import { Segmented } from 'antd'
import { useState } from 'react'
import { ParamsForm } from '#blocks/model-form/params-form.tsx'
import { CodeEditor } from '#kit/code-editor.tsx'
import { jsonProblem } from '#kit/json-input.ts'

interface SampleValuesProps {
  /** Those the scene looks at. */
  params: readonly Param[]
  values: Record<string, unknown>
  onChange: (values: Record<string, unknown>) => void
}

/** The values that matter as a form; anything else as JSON. */
export function SampleValues({ params, values, onChange }: SampleValuesProps) {
  const [text, setText] = useState<string>()
  return (
    <div className="sample-values">
      <Segmented
        aria-label="样例的编辑方式"
        size="small"
        value={text === undefined ? 'form' : 'json'}
        options={[
          { value: 'form', label: '表单' },
          { value: 'json', label: 'JSON' },
        ]}
        onChange={(next) => setText(next === 'json' ? JSON.stringify(values, null, 2) : undefined)}
      />
      {text === undefined ? (
        params.length > 0 ? (
          <ParamsForm params={params} values={values} onChange={onChange} />
        ) : (
          <p className="meta">场景不看这条消息里的值。</p>
        )
      ) : (
        <CodeEditor
          language="json"
          height={160}
          value={text}
          aria-label="样例消息"
          onChange={(next) => {
            setText(next)
            if (!jsonProblem(next)) onChange(JSON.parse(next) as Record<string, unknown>)
          }}
        />
      )}
    </div>
  )
}
