/** The changes of a plan as a text: one line for what is named, one for each difference. Pure. */

import { ChangeAct, type ConfigChange } from '@ithings/contract/features/plans.ts'
import { isRecord } from '@ithings/contract/is-record.ts'

const signs: Record<number, string> = { [ChangeAct.create]: '+', [ChangeAct.update]: '~', [ChangeAct.delete]: '-' }

const said = (value: unknown): string => (value === undefined ? '(nothing)' : JSON.stringify(value))

/** Members and items are compared one by one for as long as both sides have them. */
function differences(before: unknown, after: unknown, path: string): string[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  const areLists = Array.isArray(before) && Array.isArray(after)
  if (areLists || (isRecord(before) && isRecord(after))) {
    const [old, next] = [before, after] as [Record<string, unknown>, Record<string, unknown>]
    const names = [...new Set([...Object.keys(old), ...Object.keys(next)])]
    return names.flatMap((name) => differences(old[name], next[name], path === '' ? name : `${path}.${name}`))
  }
  return [`    ${path}: ${said(before)} -> ${said(after)}`]
}

export function planDiff(changes: readonly ConfigChange[]): string {
  const lines = changes.flatMap(({ kind, name, act, before, after, problem }) => [
    `${signs[act] ?? '?'} ${kind} ${name}`,
    ...(problem ? [`    problem: ${problem}`] : []),
    ...differences(before ?? {}, after ?? {}, ''),
  ])
  return lines.length > 0 ? lines.join('\n') : '(no changes)'
}
