/** The filter of the hub log as a condition on the journal (alias j). */
import { type HubLogFilter, hubActions, ResultType } from '@ithings/contract/features/history.ts'
import { type RawBuilder, sql } from 'kysely'
import { containsPattern } from '#db/page.ts'
import type { Db } from '#db/schema.ts'
import { refuseMissing } from '#features/devices/door.ts'
import { JournalKind } from '#ports/journal.ts'
import { storedForms } from '#ports/journal-topic.ts'

export type Condition = RawBuilder<boolean>

export interface HubLogCondition {
  where: Condition
  /** Whether the filter names devices: then an index leads to the rows. */
  byDevice: boolean
}

const actionOfKind = new Map<number, string>(hubActions.map((action) => [JournalKind[action], action]))
export const actionName = (kind: number): string => actionOfKind.get(kind) ?? ''
const kindsOf = (actions: string[]): number[] =>
  hubActions.filter((action) => actions.includes(action)).map((action) => JournalKind[action])

/** Names belong to a product; without one, every device of that name. */
async function devicesOf(
  db: Db,
  { productID, deviceName, deviceNames = [] }: HubLogFilter,
): Promise<number[] | undefined> {
  const names = [...new Set([...(deviceName === undefined ? [] : [deviceName]), ...deviceNames])]
  if (names.length === 0) return undefined
  const rows = await db
    .selectFrom('device')
    .select(['device_id', 'device_name'])
    .where('device_name', 'in', names)
    .$if(!!productID, (q) => q.where('product_id', '=', productID ?? ''))
    .limit(1_000)
    .execute()
  const known = new Set(rows.map((row) => row.device_name))
  refuseMissing(
    names.filter((name) => !known.has(name)).map((name) => ({ productID: productID ?? '*', deviceName: name })),
  )
  return rows.map((row) => row.device_id)
}

function topicCondition(topics: string[]): Condition {
  const forms = topics.flatMap(storedForms)
  return sql<boolean>`(${sql.join(
    forms.map(({ topic, kind, up }) =>
      kind === undefined
        ? sql`j.topic = ${topic}`
        : sql`(j.topic = ${topic} and j.kind = ${kind} and j.up = ${up ?? true})`,
    ),
    sql` or `,
  )})`
}

/** A kept sentence has its values apart: there each piece of what is looked for is enough. */
function textCondition(text: string): Condition {
  const pattern = containsPattern(text)
  const pieces = text.split(/[\s:：，、]+/).filter((piece) => piece !== '')
  const all = pieces.map(containsPattern)
  return sql<boolean>`(j.content ilike ${pattern} or j.msg ilike ${pattern}
    or (position('u0001[{' in j.content) > 0 and j.content ilike all(${all}::text[]))
    or (position(chr(1) in j.msg) > 0 and j.msg ilike all(${all}::text[])))`
}

export async function hubLogCondition(db: Db, filter: HubLogFilter): Promise<HubLogCondition> {
  const { productID, timeStart, timeEnd, actions, topics, content, requestID, resultType } = filter
  const devices = await devicesOf(db, filter)
  const all: Condition[] = [sql<boolean>`not exists (select from device_gone g where g.device_id = j.device_id)`]
  if (devices) all.push(sql`j.device_id = any(${devices}::bigint[])`)
  else if (productID) all.push(sql`j.product_id = ${productID}`)
  if (timeStart) all.push(sql`j.at >= ${timeStart}`)
  if (timeEnd) all.push(sql`j.at < ${timeEnd}`)
  if (actions?.length) all.push(sql`j.kind = any(${kindsOf(actions)}::smallint[])`)
  if (topics?.length) all.push(topicCondition(topics))
  if (requestID !== undefined) all.push(sql`j.token = ${requestID}`)
  if (resultType !== undefined) all.push(resultType === ResultType.ok ? sql`j.code = 200` : sql`j.code <> 200`)
  if (content !== undefined) all.push(textCondition(content))
  return { where: sql<boolean>`${sql.join(all, sql` and `)}`, byDevice: devices !== undefined }
}
