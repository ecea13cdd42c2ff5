/** What a plan changes, object by object, as lines with + and -. */
import { ChangeAct, type ConfigChange, configKindLabels } from '@ithings/contract/features/plans.ts'
import { t } from '@ithings/contract/text.ts'
import { objectText } from './config-files.ts'
import { harmless } from './width.ts'

type Line = readonly [mark: ' ' | '-' | '+', text: string]

/** More cells of the table than this are not worth the wait: then everything between is one change. */
const mostCells = 4_000_000

/** Lines that both texts have stay; by the longest common subsequence of what lies between equal ends. */
export function diffLines(before: readonly string[], after: readonly string[]): Line[] {
  let head = 0
  while (head < before.length && head < after.length && before[head] === after[head]) head++
  let tail = 0
  while (
    tail < before.length - head &&
    tail < after.length - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  )
    tail++
  const a = before.slice(head, before.length - tail)
  const b = after.slice(head, after.length - tail)
  const same = (lines: readonly string[]): Line[] => lines.map((text) => [' ', text])
  return [...same(before.slice(0, head)), ...between(a, b), ...same(before.slice(before.length - tail))]
}

function between(a: readonly string[], b: readonly string[]): Line[] {
  const [wide, rows] = [b.length + 1, a.length + 1]
  const far = wide * rows > mostCells
  const length = new Uint32Array(far ? 0 : wide * rows)
  const at = (i: number, j: number) => length[i * wide + j] ?? 0
  if (!far)
    for (let i = a.length - 1; i >= 0; i--)
      for (let j = b.length - 1; j >= 0; j--)
        length[i * wide + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const lines: Line[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (!far && i < a.length && j < b.length && a[i] === b[j]) {
      lines.push([' ', a[i++] as string])
      j++
    } else if (i < a.length && (j >= b.length || at(i + 1, j) >= at(i, j + 1))) lines.push(['-', a[i++] as string])
    else lines.push(['+', b[j++] as string])
  }
  return lines
}

const context = 2
const paint = (color: boolean, code: number, text: string) => (color ? `\u001b[${code}m${text}\u001b[0m` : text)
const colors = { '+': 32, '-': 31, '~': 33, ' ': 0 } as const

/** Changed lines with a few around them. */
function near(lines: readonly Line[]): (Line | undefined)[] {
  const isNear = (i: number) => lines.slice(Math.max(0, i - context), i + context + 1).some(([mark]) => mark !== ' ')
  return lines.flatMap((line, i) => {
    if (isNear(i)) return [line]
    return i > 0 && isNear(i - 1) ? [undefined] : []
  })
}

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
      : []
  // A new one has all its lines behind +; of one that goes its name is enough.
  const lines = act === ChangeAct.delete ? [] : near(diffLines(textOf(before), textOf(after)))
  return [
    paint(color, colors[mark], `${mark} ${t(configKindLabels[kind])} ${kind}/${harmless(name)}`),
    ...lines.map((line) =>
      line ? `    ${paint(color && line[0] !== ' ', colors[line[0]], `${line[0]} ${line[1]}`)}` : '    ⋯',
    ),
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
