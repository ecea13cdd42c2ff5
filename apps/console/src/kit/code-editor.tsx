import { t } from '@ithings/contract/text.ts'
import { type ComponentType, lazy, Suspense, useEffect, useRef, useState } from 'react'
import './code-editor.css'
import type { CodeEditorProps } from './code-editor-props.ts'

const load = () => import('./code-editor-view.tsx').then((module) => ({ default: module.CodeEditorView }))
const Editor = lazy(load)

/** The text in a plain field, in which one can type as well, until somebody enters it and the editor is there. */
function EnteredEditor(props: CodeEditorProps) {
  const { value = '', onChange, readOnly = false } = props
  const field = useRef<HTMLTextAreaElement>(null)
  const [entered, setEntered] = useState(false)
  const [editor, setEditor] = useState<{ View: ComponentType<CodeEditorProps>; enterAt?: number }>()
  useEffect(() => {
    let shown = true
    const take = ({ default: View }: Awaited<ReturnType<typeof load>>) => {
      const at = field.current
      // Who has gone on meanwhile is not called back.
      if (shown && at) setEditor({ View, ...(document.activeElement === at && { enterAt: at.selectionStart }) })
    }
    // Without the editor the field does.
    if (entered) load().then(take, () => undefined)
    return () => {
      shown = false
    }
  }, [entered])
  if (editor) return <editor.View {...props} {...(editor.enterAt !== undefined && { enterAt: editor.enterAt })} />
  return (
    <textarea
      ref={field}
      id={props.id}
      className="code-editor-plain"
      aria-label={props['aria-label'] ?? t('代码')}
      spellCheck={false}
      readOnly={readOnly}
      value={value}
      onChange={(event) => onChange?.(event.target.value)}
      onFocus={() => setEntered(true)}
    />
  )
}

/** CodeMirror 6 in a chunk of its own. @param whenEntered fetches it when somebody goes into the text, not before */
export function CodeEditor({ whenEntered = false, ...props }: CodeEditorProps & { whenEntered?: boolean }) {
  const height = props.height ?? 320
  return (
    <div className="code-editor clip bordered round-6 container-fill" style={{ height }}>
      {whenEntered ? (
        <EnteredEditor {...props} />
      ) : (
        <Suspense
          fallback={
            <div className="head-fill" style={{ height: '100%' }} role="status" aria-label={t('编辑器加载中')} />
          }
        >
          <Editor {...props} />
        </Suspense>
      )}
    </div>
  )
}
