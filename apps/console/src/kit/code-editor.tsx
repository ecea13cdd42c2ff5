import { lazy, Suspense } from 'react'
import './code-editor.css'

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

const Editor = lazy(() => import('./code-editor-view.tsx').then((module) => ({ default: module.CodeEditorView })))

/** CodeMirror 6 in a chunk of its own. */
export function CodeEditor(props: CodeEditorProps) {
  const height = props.height ?? 320
  return (
    <div className="code-editor" style={{ height }}>
      <Suspense fallback={<div className="code-editor-wait" role="status" aria-label="编辑器加载中" />}>
        <Editor {...props} />
      </Suspense>
    </div>
  )
}
