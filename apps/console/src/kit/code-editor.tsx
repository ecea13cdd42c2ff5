import { t } from '@ithings/contract/text.ts'
import { lazy, Suspense } from 'react'
import './code-editor.css'
import type { CodeEditorProps } from './code-editor-props.ts'

const Editor = lazy(() => import('./code-editor-view.tsx').then((module) => ({ default: module.CodeEditorView })))

/** CodeMirror 6 in a chunk of its own. */
export function CodeEditor(props: CodeEditorProps) {
  const height = props.height ?? 320
  return (
    <div className="code-editor clip bordered round-6 container-fill" style={{ height }}>
      <Suspense
        fallback={<div className="head-fill" style={{ height: '100%' }} role="status" aria-label={t('编辑器加载中')} />}
      >
        <Editor {...props} />
      </Suspense>
    </div>
  )
}
