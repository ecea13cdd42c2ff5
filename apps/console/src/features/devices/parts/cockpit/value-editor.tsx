import type { Property } from '@ithings/contract/thing-model/model.ts'
import { Button } from 'antd'
import { useId, useState } from 'react'
import { rangeText, summariseDefine, summaryText } from '#blocks/model-form/define-summary.ts'
import { ValueIssue } from '#blocks/model-form/value-field.tsx'
import { ValueInput } from '#blocks/model-form/value-input.tsx'
import { isGroup } from '#blocks/model-form/value-input-props.ts'
import { checkValue } from '#blocks/model-form/value-issues.ts'
import { isNumeric, parseValue } from '#blocks/typed-value/value-text.ts'

interface ValueEditorProps {
  property: Property
  /** The reported value to begin with; '': none, so it begins empty. */
  text: string
  okText: string
  onSend: (value: unknown) => void
  onClose: () => void
}

/** A typed control in place of the value; faults show after the first try (screens.md 6.2). */
export function ValueEditor({ property, text, okText, onSend, onClose }: ValueEditorProps) {
  const { define, name } = property
  const id = useId()
  const [value, setValue] = useState(() => parseValue(define, text))
  const [tried, setTried] = useState(false)
  const issues = checkValue(define, value, name)
  const send = () => {
    setTried(true)
    if (issues.size > 0) return
    onSend(value)
    onClose()
  }
  const hint = isNumeric(define) ? rangeText(define) : isGroup(define) ? '' : summaryText(summariseDefine(define))
  return (
    <form
      className="value-editor"
      aria-label={`设置${name}`}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <ValueInput define={define} value={value} onChange={setValue} label={name} id={id} {...(tried && { issues })} />
      {tried && !isGroup(define) && <ValueIssue id={id} text={issues.get('')} />}
      <div className="value-editor-foot row wrap gap-8">
        <span className="meta">{hint}</span>
        <Button size="small" type="text" onClick={onClose}>
          取消
        </Button>
        <Button size="small" htmlType="submit">
          {okText}
        </Button>
      </div>
    </form>
  )
}
