export interface EditorMark {
  /** 1-based. */
  line: number
  message: string
}

export interface CodeEditorProps {
  value?: string | undefined
  onChange?: (text: string) => void
  language: 'json' | 'javascript'
  /** JSON only: any JSON value will do (default: it must be an object, spec 5). */
  anyJson?: boolean
  readOnly?: boolean
  /** Reserved at once, so nothing jumps when the editor arrives. */
  height?: number | string
  /** Lines with faults, underlined and in the gutter, in place of the editor's own verdict on JSON. */
  marks?: readonly EditorMark[]
  /** A line to be shown; a new object asks again. */
  goTo?: { line: number } | undefined
  /** It is entered at once, here. */
  enterAt?: number
  /** Undefined = valid. Only JSON is judged. */
  onValidity?: (problem: string | undefined) => void
  id?: string
  'aria-label'?: string
}
