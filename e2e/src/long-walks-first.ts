/** The order of the walks: a long one that is begun last would leave the other core without work. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The longest first, as measured; all others come after them in the usual order. */
const long = [
  'every-route',
  'scenes',
  'demo',
  'shell-facts',
  'alarms',
  'system-life',
  'list-page',
  'kill-9',
  'never-loses',
]

const rank = ({ moduleId }: TestSpecification): number => {
  const at = long.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
  return at < 0 ? long.length : at
}

export class LongWalksFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files)
    return usual.toSorted((a, b) => rank(a) - rank(b))
  }
}
