/** `npm start -- --demo` (`--demo=en`: in English) and `--remove-demo`: what the start is asked for beside starting. */
import { AppError } from '@ithings/contract/errors.ts'
import { BuiltInRole } from '@ithings/contract/features/users.ts'
import type { Language } from '@ithings/contract/text.ts'
import type { Db } from '#db/schema.ts'
import type { DemoDeps } from '#features/demo/demo-deps.ts'
import { findDemo, isEmpty } from '#features/demo/read-demo.ts'
import { startLoading, startRemoving, stopLoading } from '#features/demo/start-demo.ts'
import type { SignedInUser } from '#http/request-context.ts'

export type DemoWish = 'load' | 'load-english' | 'remove'

export const demoWish = (args: readonly string[]): DemoWish | undefined => {
  if (args.includes('--remove-demo')) return 'remove'
  if (args.includes('--demo=en')) return 'load-english'
  return args.includes('--demo') ? 'load' : undefined
}

/** In whose name it is done: the first administrator. */
async function findAdmin(db: Db, language: Language = 'zh'): Promise<SignedInUser> {
  const row = await db
    .selectFrom('app_user')
    .select(['user_id', 'user_name', 'role_id'])
    .where('role_id', '=', BuiltInRole.admin)
    .orderBy('user_id')
    .limit(1)
    .executeTakeFirstOrThrow()
  return { userID: row.user_id, userName: row.user_name, role: row.role_id, sid: '', language }
}

/** Started again with the same words it is there, or on its way. */
async function whyNotLoaded(db: Db): Promise<string | undefined> {
  const demo = await findDemo(db)
  if (!demo) {
    return (await isEmpty(db))
      ? undefined
      : 'The demo fleet is not loaded: it needs an empty platform, and this one has products.'
  }
  if (demo.openJob !== '') {
    return demo.removing
      ? 'The demo fleet is being removed; ask for it again when it is gone.'
      : 'The demo fleet is being loaded already.'
  }
  return demo.complete
    ? 'The demo fleet is there already.'
    : 'A part of the demo fleet is there, of a loading that did not come to its end; --remove-demo takes it away.'
}

async function load(deps: DemoDeps, language: Language): Promise<string> {
  await startLoading(deps, await findAdmin(deps.db, language))
  return 'The demo fleet is being loaded; it takes less than a minute.'
}

async function remove(deps: DemoDeps): Promise<string> {
  if (!(await findDemo(deps.db))) return 'There is no demo fleet to remove.'
  // Cut off by the end of the platform it goes on with its start.
  if (await stopLoading(deps.db)) {
    return 'The loading of the demo fleet is being stopped, and what is there of it removed.'
  }
  await startRemoving(deps, await findAdmin(deps.db))
  return 'The demo fleet is being removed.'
}

/** @returns what became of it, for the one who started the platform; a refusal does not keep it from starting */
export async function fulfilDemoWish(deps: DemoDeps, wish: DemoWish): Promise<string> {
  try {
    return await (wish === 'remove' ? remove(deps) : load(deps, wish === 'load' ? 'zh' : 'en'))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (wish === 'remove') return `The demo fleet is not removed: ${error.message}`
    return (await whyNotLoaded(deps.db)) ?? `The demo fleet is not loaded: ${error.message}`
  }
}
