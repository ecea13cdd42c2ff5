import { javascript } from '@codemirror/lang-javascript'
import { json } from '@codemirror/lang-json'
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint'
import { Compartment, type EditorState, type Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { basicSetup } from 'codemirror'
import { useEffect, useRef } from 'react'
import { editable, editorTheme } from '#kit/code-editor-theme.ts'
import { usePreferences } from '#kit/preferences.tsx'
import { readNonce } from '#kit/theme/nonce.ts'
import type { EditorMark, MarkedEditorProps } from './marked-editor-props.ts'

const languages: Record<MarkedEditorProps['language'], () => Extension> = { json, javascript }

function diagnosticsOf(state: EditorState, marks: readonly EditorMark[]): Diagnostic[] {
  return marks.map(({ line, message }) => {
    // The text may have become shorter since the verdict.
    const { from, to } = state.doc.line(Math.min(Math.max(line, 1), state.doc.lines))
    return { from, to, severity: 'error', message }
  })
}

/** React owns the value and the marks, CodeMirror the typing. */
export function MarkedEditorView(props: MarkedEditorProps) {
  const { value, language, marks, goTo, readOnly = false } = props
  const { dark } = usePreferences()
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const slots = useRef({ theme: new Compartment(), edit: new Compartment() })
  const latest = useRef({ ...props, dark })
  latest.current = { ...props, dark }

  useEffect(() => {
    const parent = host.current
    if (!parent) return
    const nonce = readNonce()
    const start = latest.current
    const editor = new EditorView({
      parent,
      doc: start.value,
      extensions: [
        basicSetup,
        languages[language](),
        lintGutter(),
        slots.current.theme.of(editorTheme(start.dark)),
        slots.current.edit.of(editable(start.readOnly ?? false)),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': start.label }),
        nonce ? EditorView.cspNonce.of(nonce) : [],
        EditorView.updateListener.of((update) => {
          if (update.docChanged) latest.current.onChange?.(update.state.doc.toString())
        }),
      ],
    })
    view.current = editor
    return () => editor.destroy()
  }, [language])

  // A value from outside (template, file) replaces the text; the echo of our own typing is equal and changes nothing.
  useEffect(() => {
    const editor = view.current
    if (editor && editor.state.doc.toString() !== value) {
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } })
    }
  }, [value])

  useEffect(() => {
    const editor = view.current
    if (editor) editor.dispatch(setDiagnostics(editor.state, diagnosticsOf(editor.state, marks)))
  }, [marks])

  useEffect(() => {
    const editor = view.current
    if (!editor || !goTo) return
    const { from } = editor.state.doc.line(Math.min(Math.max(goTo.line, 1), editor.state.doc.lines))
    editor.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) })
    editor.focus()
  }, [goTo])

  useEffect(() => {
    view.current?.dispatch({ effects: slots.current.theme.reconfigure(editorTheme(dark)) })
  }, [dark])

  useEffect(() => {
    view.current?.dispatch({ effects: slots.current.edit.reconfigure(editable(readOnly)) })
  }, [readOnly])

  return <div ref={host} className="code-editor-host" />
}
