import { Input } from 'antd'
import { createContext, type ReactNode, useContext } from 'react'

interface EditorState {
  /** What is wrong at a place of the draft, when it is to be shown. */
  issueAt: (path: string) => string | undefined
  idOf: (path: string) => string
  disabled: boolean
}

export const EditorContext = createContext<EditorState>({
  issueAt: () => undefined,
  idOf: (path) => path,
  disabled: false,
})

/** What ties a control to its label and its fault. */
export function useEditField(path: string) {
  const { issueAt, idOf, disabled } = useContext(EditorContext)
  const issue = issueAt(path)
  const id = idOf(path)
  return {
    issue,
    control: {
      id,
      disabled,
      'aria-invalid': issue !== undefined,
      ...(issue !== undefined && { status: 'error' as const, 'aria-describedby': `${id}-issue` }),
    },
  }
}

interface EditFieldProps {
  path: string
  label: string
  required?: boolean
  /** Of controls that a label cannot point to. */
  group?: boolean
  extra?: ReactNode
  children: ReactNode
}

export function EditField({ path, label, required = false, group = false, extra, children }: EditFieldProps) {
  const { control } = useEditField(path)
  const Label = group ? 'span' : 'label'
  return (
    <div className="column shrink gap-6" data-path={path}>
      <Label className="softer" {...(!group && { htmlFor: control.id })}>
        {label}
        {required && <span className="required-mark error-text after-4">*</span>}
      </Label>
      {children}
      {extra && <div className="meta">{extra}</div>}
      <FieldIssue path={path} />
    </div>
  )
}

export function FieldIssue({ path }: { path: string }) {
  const { issue, control } = useEditField(path)
  if (issue === undefined) return null
  return (
    <div className="meta tone-error" id={`${control.id}-issue`} role="alert">
      {issue}
    </div>
  )
}

interface TextControlProps {
  path: string
  value: string
  onChange: (text: string) => void
  mono?: boolean
  numeric?: boolean
  /** Shown as a count; the fault is spoken by the check. */
  max?: number
  placeholder?: string
  suffix?: ReactNode
  label?: string
  readOnly?: boolean
}

/** Numbers are texts in a definition, so they are typed as such and judged by the contract. */
export function TextControl(props: TextControlProps) {
  const { path, value, onChange, mono, numeric, max, placeholder, suffix, label, readOnly } = props
  const { control } = useEditField(path)
  return (
    <Input
      {...control}
      value={value}
      autoComplete="off"
      className={mono ? 'mono' : ''}
      placeholder={placeholder ?? ''}
      readOnly={readOnly ?? false}
      {...(numeric && { inputMode: 'decimal' as const })}
      {...(suffix && { suffix })}
      {...(label && { 'aria-label': label })}
      {...(max !== undefined && { count: { show: true, max } })}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
