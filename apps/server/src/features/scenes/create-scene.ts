import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import type { createScene as endpoint } from '@ithings/contract/features/scenes/info.ts'
import { phrase } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type { SignedInUser } from '#http/request-context.ts'
import { linkAlarms, refuseLinking } from './link-alarms.ts'
import { readInput } from './read-input.ts'
import { refuseLoops } from './refuse-loops.ts'
import { saveReferences } from './scene-references.ts'
import type { ScenesDeps } from './scenes-deps.ts'
import { lockScenes, nameConflicts } from './store.ts'

const maxScenes = 20_000

export async function createScene(deps: ScenesDeps, input: BodyOutput<typeof endpoint>, user: SignedInUser) {
  await refuseLinking(deps, user, input)
  const { references, columns } = await readInput(deps, input, user.userName)
  const made = await nameConflicts(
    deps.db.transaction().execute(async (db) => {
      await lockScenes(db)
      const { scenes } = await db
        .selectFrom('scene')
        .select(sql<number>`count(*)`.as('scenes'))
        .executeTakeFirstOrThrow()
      if (scenes >= maxScenes)
        throw new AppError(errors.quota, { msg: phrase('场景数量已达上限 {maxScenes}', { maxScenes }) })
      const row = await db.insertInto('scene').values(columns).returning('id').executeTakeFirstOrThrow()
      await saveReferences(db, row.id, references)
      await refuseLoops(db, row.id)
      const made = input.alarm && (await deps.newAlarm(db, input.alarm))
      await linkAlarms(db, row.id, made ? [...(input.alarmIDs ?? []), made.id] : input.alarmIDs)
      return { id: row.id, ...(made && { alarmID: made.id }) }
    }),
  )
  await deps.signal.send('scene.changed', { sceneID: made.id })
  return made
}
