import { lazy, Suspense } from 'react'
import '#kit/code-editor.css'
import type { MarkedEditorProps } from './marked-editor-props.ts'

const View = lazy(() => import('./marked-editor-view.tsx').then((module) => ({ default: module.MarkedEditorView })))

/** The kit's editor with faults at given lines: those of a script that ran, those of a model that was read. */
export function MarkedEditor(props: MarkedEditorProps) {
  return (
    <div className="code-editor" style={{ height: props.height }}>
      <Suspense fallback={<div className="code-editor-wait" role="status" aria-label="编辑器加载中" />}>
        <View {...props} />
      </Suspense>
    </div>
  )
}
