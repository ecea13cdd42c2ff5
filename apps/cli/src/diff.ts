/** What a plan changes, object by object, as lines with + and -. */
import { ChangeAct, type ConfigChange, configKindLabels } from '@ithings/contract/features/plans.ts'
import { diffLines, foldDiff } from '@ithings/contract/line-diff.ts'
import { t } from '@ithings/contract/text.ts'
import { objectText } from './config-files.ts'
import { harmless } from './width.ts'

/** Lines around a change that are shown with it. */
const context = 2
const signs = { added: '+', removed: '-', same: ' ' } as const
const paint = (color: boolean, code: number, text: string) => (color ? `\u001b[${code}m${text}\u001b[0m` : text)
const colors = { '+': 32, '-': 31, '~': 33, ' ': 0 } as const

const marks: Record<number, '+' | '-' | '~'> = {
  [ChangeAct.create]: '+',
  [ChangeAct.update]: '~',
  [ChangeAct.delete]: '-',
}

function describeChange(change: ConfigChange, color: boolean): string[] {
  const { kind, name, act, before, after, problem } = change
  const mark = marks[act] ?? '~'
  const textOf = (spec: Record<string, unknown> | undefined) =>
    spec
      ? objectText(spec)
          .trimEnd()
          .split('\n')
          .map((line) => harmless(line))
          .join('\n')
      : ''
  // A new one has all its lines behind +; of one that goes its name is enough.
  const lines = act === ChangeAct.delete ? [] : foldDiff(diffLines(textOf(before), textOf(after)), context)
  return [
    paint(color, colors[mark], `${mark} ${t(configKindLabels[kind])} ${kind}/${harmless(name)}`),
    ...lines.map((line) => {
      if (line.kind === 'gap') return '    ⋯'
      const sign = signs[line.kind]
      return `    ${paint(color && sign !== ' ', colors[sign], `${sign} ${line.text}`)}`
    }),
    ...(problem ? [paint(color, 31, `    ! ${harmless(problem)}`)] : []),
  ]
}

export function describeChanges(changes: readonly ConfigChange[], color: boolean): string[] {
  const count = (act: number) => changes.filter((change) => change.act === act).length
  return [
    ...changes.flatMap((change) => describeChange(change, color)),
    t('新增 {creates}，修改 {updates}，删除 {deletes}', {
      creates: count(ChangeAct.create),
      updates: count(ChangeAct.update),
      deletes: count(ChangeAct.delete),
    }),
  ]
}
