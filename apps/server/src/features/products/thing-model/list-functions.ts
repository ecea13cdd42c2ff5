import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { listSchema } from '@ithings/contract/features/thing-model.ts'
import { sql } from 'kysely'
import { asked, containsPattern, fetchPage } from '#db/page.ts'
import type { Db } from '#db/schema.ts'
import { requireProduct } from '../store.ts'
import { toItem } from './function-item.ts'
import { toFunction } from './model-store.ts'

const columns = { identifier: 'identifier', type: 'type', tag: 'tag', name: sql`definition ->> 'name'` } as const

/** In the order in which the functions were made or imported, unless another is asked for. */
export async function listFunctions(db: Db, input: BodyOutput<typeof listSchema>) {
  const { productID, type, tag, identifiers } = input
  await requireProduct(db, productID)
  const keyword = input.keyword ?? ''
  const pattern = containsPattern(keyword)
  const filtered = db
    .selectFrom('product_function')
    .where((eb) => asked(eb, { equal: { product_id: productID, type, tag } }))
    .$if(identifiers !== undefined && identifiers.length > 0, (q) => q.where('identifier', 'in', identifiers ?? []))
    .$if(keyword !== '', (q) =>
      q.where((eb) =>
        eb.or([eb('identifier', 'ilike', pattern), eb(sql<string>`definition ->> 'name'`, 'ilike', pattern)]),
      ),
    )
  const page = await fetchPage(filtered, (q) => q.select(['type', 'tag', 'definition']), input.page, {
    columns,
    fallback: { column: 'position', desc: false },
  })
  return { list: page.list.map((row) => toItem(productID, toFunction(row))), total: page.total }
}
