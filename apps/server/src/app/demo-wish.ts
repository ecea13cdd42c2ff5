/** `npm start -- --demo` and `--remove-demo`: what the start is asked for beside starting. */
import { AppError } from '@ithings/contract/errors.ts'
import { BuiltInRole } from '@ithings/contract/features/users.ts'
import type { Db } from '#db/schema.ts'
import type { DemoKit } from '#features/demo/demo-kit.ts'
import { findDemo } from '#features/demo/read-demo.ts'
import { startLoading, startRemoving } from '#features/demo/start-demo.ts'
import type { SignedInUser } from '#http/request-context.ts'

export type DemoWish = 'load' | 'remove'

export const demoWish = (args: readonly string[]): DemoWish | undefined => {
  if (args.includes('--remove-demo')) return 'remove'
  return args.includes('--demo') ? 'load' : undefined
}

/** In whose name it is done: the first administrator. */
async function findAdmin(db: Db): Promise<SignedInUser> {
  const row = await db
    .selectFrom('app_user')
    .select(['user_id', 'user_name', 'role_id'])
    .where('role_id', '=', BuiltInRole.admin)
    .orderBy('user_id')
    .limit(1)
    .executeTakeFirstOrThrow()
  return { userID: row.user_id, userName: row.user_name, role: row.role_id, sid: '' }
}

/** @returns what became of it, for the one who started the platform; a refusal does not keep it from starting */
export async function fulfilDemoWish(kit: DemoKit, wish: DemoWish): Promise<string> {
  // Started again with the same words: it is there.
  if (wish === 'load' && (await findDemo(kit.db))) return 'The demo fleet is there already.'
  try {
    const user = await findAdmin(kit.db)
    await (wish === 'load' ? startLoading(kit, user) : startRemoving(kit, user))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return wish === 'load'
      ? 'The demo fleet is not loaded: it needs an empty platform, and this one has products.'
      : 'There is no demo fleet to remove.'
  }
  return wish === 'load'
    ? 'The demo fleet is being loaded; it takes less than a minute.'
    : 'The demo fleet is being removed.'
}
