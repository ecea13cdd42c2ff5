import { AppError, errors, refusal } from '@ithings/contract/errors.ts'
import { type ChannelSettings, channelSettings } from '@ithings/contract/features/notify.ts'
import { phrase } from '@ithings/contract/text.ts'
import type { Db } from '#db/schema.ts'
import { openJson, places } from '#db/sealed.ts'
import { headerFault } from '#ports/webhook-rules.ts'

const unknownChannel = (id: number) => refusal(errors.notFound, '通知渠道 {id} 不存在', { id })

/** Rows of an older version may lack a field. */
export const openSettings = (db: Db, stored: unknown): ChannelSettings =>
  channelSettings.parse(openJson(db, places.channel, stored))

export async function findChannel(db: Db, id: number, lock = false) {
  const row = await db
    .selectFrom('notify_channel')
    .selectAll()
    .where('id', '=', id)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst()
  if (!row) throw unknownChannel(id)
  return { ...row, settings: openSettings(db, row.settings) }
}

/** What the contract cannot know: which headers belong to the connection. */
export function refuseBadHeaders({ headers }: Pick<ChannelSettings, 'headers'>): void {
  const names = new Set<string>()
  for (const header of headers) {
    const name = header.key.toLowerCase()
    const fault =
      headerFault(header) ?? (names.has(name) ? phrase('请求头「{name}」重复', { name: header.key }) : undefined)
    if (fault) throw new AppError(errors.parameter, { detail: fault, field: 'settings.headers' })
    names.add(name)
  }
}

/** Names tell channels apart in pickers and logs, so they are unique. */
export async function nameConflicts<T>(name: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    if ((cause as { constraint?: string }).constraint !== 'notify_channel_name_key') throw cause
    throw new AppError(errors.duplicate, { msg: phrase('渠道名称重复：{name}', { name }), field: 'name', cause })
  }
}
