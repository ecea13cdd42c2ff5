/** The order of the tests: a long one that is begun last would leave the other core without work. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The longest first, as measured; all others come after them in the usual order. */
const long = [
  'e2e/src/walks/every-route',
  'e2e/src/walks/scenes',
  'e2e/src/walks/english-journeys',
  'e2e/src/walks/shell-facts',
  'e2e/src/walks/alarms',
  'e2e/src/walks/system-life',
  'e2e/src/kit/list-page',
  'e2e/src/walks/kill-9',
  'e2e/src/walks/never-loses',
  'features/demo/demo',
  'cli/src/rooms/cli',
  'engines/embedded-pg/start-embedded-postgres',
  'server/src/backup/backup',
  'server/src/backup/interrupted',
  'features/scenes/watch/several-servers',
  'app/upstream-servers',
  'features/ota/ota-servers',
  'features/rollouts/several-servers',
  'features/ota/firmware/memory',
  'features/plans/rebuild',
  'features/demo/english',
  'engines/s3-files/s3-files',
  'server/src/backup/command',
  'server/src/http/access-matrix',
  'features/users/passkeys',
  'engines/pg-journal/pg-journal',
  'app/audit-check',
  'features/ota/ota-lists',
  'features/tasks/tasks-mqtt',
  'app/upstream',
  'engines/forward-amqp/amqp-target',
  'server/src/http/fuzz',
  'features/ota/ota-stages',
  'features/gateways/gateway-messages',
  'features/jobs/run-job',
]

/** A worker that goes over to another project begins anew: the small ones are done first, so that it does so once. */
const smallProjects = ['chaos', 'embedded-pg', 'server-by-address']
const turn = ({ project }: TestSpecification): number =>
  smallProjects.includes(project.name) ? smallProjects.indexOf(project.name) : smallProjects.length

const rank = ({ moduleId }: TestSpecification): number => {
  const at = long.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
  return at < 0 ? long.length : at
}

export class LongTestsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files)
    return usual.toSorted((a, b) => turn(a) - turn(b) || rank(a) - rank(b))
  }
}
