import type { EditorMark } from '#kit/code-editor-props.ts'
import { describeError } from '#kit/states/describe-error.ts'

/** A refused publication names the line in its sentence; it is shown in the editor too. */
export function markOfRefusal(error: unknown): EditorMark | undefined {
  const { reason } = describeError(error)
  const line = /第\s*(\d+)\s*行/.exec(reason)?.[1]
  return line ? { line: Number(line), message: reason } : undefined
}
