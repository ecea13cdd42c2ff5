/** Two texts beside each other; one above the other on a phone. In a chunk of its own, with CodeMirror. */
import { json } from '@codemirror/lang-json'
import { MergeView, unifiedMergeView } from '@codemirror/merge'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, lineNumbers } from '@codemirror/view'
import { t } from '@ithings/contract/text.ts'
import { useEffect, useRef } from 'react'
import './diff-view.css'
import { editorTheme } from '#kit/code-editor-theme.ts'
import { usePreferences } from '#kit/preferences.tsx'
import { readNonce } from '#kit/theme/nonce.ts'

export interface DiffViewProps {
  before: string
  after: string
  /** Labels for those who cannot see which side is which. */
  labels: readonly [before: string, after: string]
  unified: boolean
}

/** Equal lines around a change; the rest is folded. */
const fold = { margin: 3, minSize: 6 }
/** Very different texts of 64 KB must not hold the page up. */
const diffConfig = { scanLimit: 2_000, timeout: 500 }

const phrases = () => EditorState.phrases.of({ '$ unchanged lines': t('$ 行相同') })

function extensionsOf(dark: boolean, label: string): Extension {
  const nonce = readNonce()
  return [
    lineNumbers(),
    json(),
    editorTheme(dark),
    phrases(),
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label }),
    nonce ? EditorView.cspNonce.of(nonce) : [],
  ]
}

export function DiffView({ before, after, labels, unified }: DiffViewProps) {
  const { dark } = usePreferences()
  const host = useRef<HTMLDivElement>(null)
  const [left, right] = labels
  useEffect(() => {
    const parent = host.current
    if (!parent) return
    if (unified) {
      const merge = unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged: fold, diffConfig })
      const view = new EditorView({ parent, doc: after, extensions: [extensionsOf(dark, right), merge] })
      return () => view.destroy()
    }
    const view = new MergeView({
      parent,
      a: { doc: before, extensions: extensionsOf(dark, left) },
      b: { doc: after, extensions: extensionsOf(dark, right) },
      collapseUnchanged: fold,
      diffConfig,
    })
    return () => view.destroy()
  }, [before, after, left, right, unified, dark])
  return <div ref={host} className="diff-view scroll bordered round-6" />
}
