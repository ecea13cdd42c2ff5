import { javascript } from '@codemirror/lang-javascript'
import { json } from '@codemirror/lang-json'
import { type Diagnostic, linter, lintGutter, setDiagnostics } from '@codemirror/lint'
import { Compartment, type EditorState, type Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { t } from '@ithings/contract/text.ts'
import { basicSetup } from 'codemirror'
import { useEffect, useRef } from 'react'
import type { CodeEditorProps } from './code-editor-props.ts'
import { editable, editorTheme } from './code-editor-theme.ts'
import { jsonProblem } from './json-input.ts'
import { usePreferences } from './preferences.tsx'
import { readNonce } from './theme/nonce.ts'

const jsonLint = (needObject: boolean): Extension => [
  lintGutter(),
  linter((view): Diagnostic[] => {
    const text = view.state.doc.toString()
    const problem = text.trim() === '' ? undefined : jsonProblem(text, needObject)
    if (!problem) return []
    const { from, to } = view.state.doc.lineAt(problem.at)
    return [{ from: Math.min(problem.at, to) || from, to, severity: 'error', message: problem.message }]
  }),
]

/** The text may have become shorter since the verdict. */
const lineOf = ({ doc }: EditorState, line: number) => doc.line(Math.min(Math.max(line, 1), doc.lines))

/** The editor proper; React owns the value, CodeMirror the typing. */
export function CodeEditorView(props: CodeEditorProps) {
  const { value = '', language, anyJson = false, readOnly = false, marks, goTo } = props
  const marked = marks !== undefined
  const { dark } = usePreferences()
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const themeSlot = useRef(new Compartment())
  const editSlot = useRef(new Compartment())
  const latest = useRef(props)
  latest.current = props
  const initial = useRef({ value, dark, readOnly })

  useEffect(() => {
    const parent = host.current
    if (!parent) return
    const nonce = readNonce()
    const start = initial.current
    const editor = new EditorView({
      parent,
      doc: latest.current.value ?? start.value,
      extensions: [
        basicSetup,
        language === 'json' ? json() : javascript(),
        marked ? lintGutter() : language === 'json' ? jsonLint(!anyJson) : [],
        themeSlot.current.of(editorTheme(start.dark)),
        editSlot.current.of(editable(start.readOnly)),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': latest.current['aria-label'] ?? t('代码') }),
        nonce ? EditorView.cspNonce.of(nonce) : [],
        EditorView.updateListener.of((update) => {
          if (update.docChanged) latest.current.onChange?.(update.state.doc.toString())
        }),
      ],
    })
    view.current = editor
    const { enterAt } = latest.current
    if (enterAt !== undefined) {
      editor.dispatch({ selection: { anchor: Math.min(enterAt, editor.state.doc.length) } })
      editor.focus()
    }
    return () => editor.destroy()
  }, [language, anyJson, marked])

  // A value from outside (reset, format) replaces the text; the echo of our own typing is equal and changes nothing.
  useEffect(() => {
    const editor = view.current
    const text = editor?.state.doc.toString()
    if (editor && text !== value) editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } })
  }, [value])

  useEffect(() => {
    const editor = view.current
    if (!editor || !marks) return
    const found = marks.map(({ line, message }): Diagnostic => {
      const { from, to } = lineOf(editor.state, line)
      return { from, to, severity: 'error', message }
    })
    editor.dispatch(setDiagnostics(editor.state, found))
  }, [marks])

  useEffect(() => {
    const editor = view.current
    if (!editor || !goTo) return
    const { from } = lineOf(editor.state, goTo.line)
    editor.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) })
    editor.focus()
  }, [goTo])

  useEffect(() => {
    view.current?.dispatch({ effects: themeSlot.current.reconfigure(editorTheme(dark)) })
  }, [dark])

  useEffect(() => {
    view.current?.dispatch({ effects: editSlot.current.reconfigure(editable(readOnly)) })
  }, [readOnly])

  useEffect(() => {
    latest.current.onValidity?.(language === 'json' ? jsonProblem(value, !anyJson)?.message : undefined)
  }, [value, language, anyJson])

  return <div ref={host} id={props.id} className="code-editor-host" />
}
