import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { t } from '@ithings/contract/text.ts'
import { tags } from '@lezer/highlight'

// Colours are the variables of tokens.css, so one highlight style serves both themes.
const highlight = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: 'var(--chart-4)' },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--chart-4)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--ok)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--chart-2)' },
  { tag: [tags.comment], color: 'var(--tertiary)', fontStyle: 'italic' },
  { tag: [tags.function(tags.variableName), tags.definition(tags.variableName)], color: 'var(--link)' },
  { tag: [tags.invalid], color: 'var(--error)' },
])

const look = (dark: boolean) =>
  EditorView.theme(
    {
      '&': { color: 'var(--text)', backgroundColor: 'transparent', fontSize: '13px' },
      '&.cm-focused': { outline: 'none' },
      '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '20px' },
      '.cm-content': { caretColor: 'var(--text)' },
      '.cm-cursor': { borderLeftColor: 'var(--text)' },
      '.cm-gutters': { color: 'var(--tertiary)', backgroundColor: 'var(--head)', borderRight: '1px solid var(--line)' },
      '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
      '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--tint-line)' },
      '.cm-tooltip, .cm-panels': {
        color: 'var(--text)',
        backgroundColor: 'var(--elevated)',
        border: '1px solid var(--border)',
      },
    },
    { dark },
  )

const phrases = {
  Find: '查找',
  Replace: '替换',
  next: '下一个',
  previous: '上一个',
  all: '全部',
  'match case': '区分大小写',
  regexp: '正则',
  'by word': '整词',
  replace: '替换',
  'replace all': '全部替换',
  close: '关闭',
  'Fold line': '折叠',
  'Unfold line': '展开',
  'No diagnostics': '没有问题',
  Diagnostics: '问题',
}
const saidPhrases = () =>
  EditorState.phrases.of(Object.fromEntries(Object.entries(phrases).map(([phrase, words]) => [phrase, t(words)])))

export const editorTheme = (dark: boolean): Extension => [look(dark), syntaxHighlighting(highlight), saidPhrases()]

/** What is only read takes the focus all the same, so that keys scroll it. */
export const editable = (readOnly: boolean): Extension => [
  EditorState.readOnly.of(readOnly),
  EditorView.editable.of(!readOnly),
  readOnly ? EditorView.contentAttributes.of({ tabindex: '0' }) : [],
]
