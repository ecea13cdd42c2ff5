import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { CommandKind, type listCommands as endpoint } from '@ithings/contract/features/commands.ts'
import { toStr } from '@ithings/contract/wire.ts'
import { fetchPage } from '#db/page.ts'
import type { Db } from '#db/schema.ts'
import { inState, type StoredKind, stateOf, storedKinds } from './command-store.ts'

const sortColumns = { sentTime: 'device_command.sent_at', latency: 'device_command.latency' } as const

const kindOf = (stored: string): CommandKind =>
  Object.values(CommandKind).find((kind) => storedKinds[kind] === stored) ?? CommandKind.message

/** Topics of debugging carry any text; everything else is JSON. */
const payloadText = (kind: string, payload: unknown): string =>
  kind === ('msg' satisfies StoredKind) && typeof payload === 'string' ? payload : JSON.stringify(payload)

/** Newest first. Names and tokens are compared as a whole: the page of lamp1 must not show lamp10. */
export async function listCommands(db: Db, input: BodyOutput<typeof endpoint>) {
  const { productID, deviceName, kind, state, clientToken, timeStart, timeEnd } = input
  const filtered = db
    .selectFrom('device_command')
    .innerJoin('device', 'device.device_id', 'device_command.device_id')
    .$if(!!productID, (q) => q.where('device.product_id', '=', productID ?? ''))
    .$if(deviceName !== undefined, (q) => q.where('device.device_name', '=', deviceName ?? ''))
    .$if(clientToken !== undefined, (q) => q.where('device_command.client_token', '=', clientToken ?? ''))
    .$if(kind !== undefined, (q) => q.where('device_command.kind', '=', kind ? storedKinds[kind] : ''))
    .$if(state !== undefined, (q) => (state ? q.where(inState(state)) : q))
    .$if(!!timeStart, (q) => q.where('device_command.sent_at', '>=', timeStart ?? 0))
    .$if(!!timeEnd, (q) => q.where('device_command.sent_at', '<', timeEnd ?? 0))
  const page = await fetchPage(
    filtered,
    (q) => q.selectAll('device_command').select(['device.product_id', 'device.device_name']),
    input.page,
    { columns: sortColumns, fallback: { column: 'device_command.id', desc: true } },
  )
  return {
    total: page.total,
    list: page.list.map((row) => ({
      clientToken: row.client_token,
      productID: row.product_id,
      deviceName: row.device_name,
      kind: kindOf(row.kind),
      target: row.data_id,
      payload: payloadText(row.kind, row.payload),
      state: stateOf(row),
      code: row.code,
      status: row.status,
      reply: row.reply === null ? '' : JSON.stringify(row.reply),
      userName: row.user_name,
      source: row.source,
      sentTime: toStr(row.sent_at),
      doneTime: toStr(row.done_at),
      latency: row.latency,
      viaShadow: row.via_shadow,
    })),
  }
}
