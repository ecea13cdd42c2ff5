export interface EditorMark {
  /** 1-based. */
  line: number
  message: string
}

export interface MarkedEditorProps {
  value: string
  onChange?: (text: string) => void
  language: 'json' | 'javascript'
  /** Lines with faults, underlined and in the gutter. */
  marks: readonly EditorMark[]
  /** A line to be shown; a new object asks again. */
  goTo?: { line: number } | undefined
  label: string
  height: number | string
  readOnly?: boolean
}
