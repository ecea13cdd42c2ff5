/** Lines that two texts do not share. */
export interface DiffLine {
  kind: 'same' | 'added' | 'removed'
  text: string
  /** 1-based, in the text that has it. */
  before?: number
  after?: number
}

/** Above this the quadratic table costs too much; the middle is then shown as replaced. */
const maxCells = 4_000_000

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

/** Lengths of the longest common tails, row by row. */
function commonTails(before: readonly string[], after: readonly string[]): Uint32Array[] {
  const table = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1))
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const here = table[i] as Uint32Array
      const below = table[i + 1] as Uint32Array
      here[j] = before[i] === after[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, here[j + 1] ?? 0)
    }
  }
  return table
}

type Step = DiffLine['kind']

function steps(before: readonly string[], after: readonly string[]): Step[] {
  if (before.length * after.length > maxCells) {
    return [...before.map((): Step => 'removed'), ...after.map((): Step => 'added')]
  }
  const table = commonTails(before, after)
  const found: Step[] = []
  let i = 0
  let j = 0
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      found.push('same')
      i++
      j++
    } else if (j >= after.length || (i < before.length && (table[i + 1]?.[j] ?? 0) >= (table[i]?.[j + 1] ?? 0))) {
      found.push('removed')
      i++
    } else {
      found.push('added')
      j++
    }
  }
  return found
}

export function diffLines(beforeText: string, afterText: string): DiffLine[] {
  const before = linesOf(beforeText)
  const after = linesOf(afterText)
  let head = 0
  while (head < before.length && head < after.length && before[head] === after[head]) head++
  let tail = 0
  while (
    tail < before.length - head &&
    tail < after.length - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  ) {
    tail++
  }
  const middle = steps(before.slice(head, before.length - tail), after.slice(head, after.length - tail))
  const all: Step[] = [
    ...Array.from({ length: head }, (): Step => 'same'),
    ...middle,
    ...Array.from({ length: tail }, (): Step => 'same'),
  ]
  let i = 0
  let j = 0
  return all.map((kind) => {
    if (kind === 'removed') return { kind, text: before[i] ?? '', before: ++i }
    if (kind === 'added') return { kind, text: after[j] ?? '', after: ++j }
    return { kind, text: before[i] ?? '', before: ++i, after: ++j }
  })
}

export type DiffPart = DiffLine | { kind: 'gap'; count: number; from: number }

/** Far from any change nothing needs to be read: long equal parts become a gap. */
export function foldDiff(lines: readonly DiffLine[], around = 3): DiffPart[] {
  const near = lines.map((_, at) =>
    lines.slice(Math.max(0, at - around), at + around + 1).some((line) => line.kind !== 'same'),
  )
  const parts: DiffPart[] = []
  for (const [at, line] of lines.entries()) {
    if (near[at]) {
      parts.push(line)
      continue
    }
    const last = parts.at(-1)
    if (last?.kind === 'gap') last.count++
    else parts.push({ kind: 'gap', count: 1, from: at })
  }
  return parts
}
