/** The order of the tests: a long one that is begun last would leave the other core without work. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The longest first, as measured; all others come after them in the usual order. */
const long = [
  'e2e/src/walks/every-route',
  'e2e/src/walks/scenes',
  'e2e/src/walks/demo',
  'e2e/src/walks/shell-facts',
  'e2e/src/walks/alarms',
  'e2e/src/walks/system-life',
  'e2e/src/kit/list-page',
  'e2e/src/walks/kill-9',
  'e2e/src/walks/never-loses',
  'features/demo/demo',
  'features/tasks/restart',
  'features/ota/firmware/memory',
  'app/backup/interrupted',
  'engines/embedded-pg/start-embedded-postgres',
  'features/scenes/watch/several-servers',
  'features/rollouts/several-servers',
  'app/backup/backup',
  'features/scenes/run/schedule',
  'engines/pg-journal/pg-journal',
  'features/jobs/run-job',
]

const rank = ({ moduleId }: TestSpecification): number => {
  const at = long.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
  return at < 0 ? long.length : at
}

export class LongTestsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files)
    return usual.toSorted((a, b) => rank(a) - rank(b))
  }
}
