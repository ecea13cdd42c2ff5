export interface CodeEditorProps {
  value?: string | undefined
  onChange?: (text: string) => void
  language: 'json' | 'javascript'
  /** JSON only: any JSON value will do (default: it must be an object, spec 5). */
  anyJson?: boolean
  readOnly?: boolean
  /** Reserved at once, so nothing jumps when the editor arrives. */
  height?: number
  /** Undefined = valid. Only JSON is judged. */
  onValidity?: (problem: string | undefined) => void
  id?: string
  'aria-label'?: string
}
