import { type HttpMethod, httpMethodLabels } from '@ithings/contract/endpoint.ts'
import { AppError, errors, refusal } from '@ithings/contract/errors.ts'
import { kept, phrase } from '@ithings/contract/text.ts'
import { inWords } from '#db/conflicts.ts'
import type { Db } from '#db/schema.ts'

interface ApiKey {
  route: string
  method: number
}

/** Locks a hand-made row; rows of the platform itself come from the contract and are nobody's to change. */
export async function lockOwnApi(db: Db, id: number) {
  const api = await db.selectFrom('api').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!api) throw refusal(errors.notFound, '接口 {id} 不存在', { id })
  if (api.built_in)
    throw refusal(errors.parameter, '「{name}」是平台内置接口，不能修改或删除', { name: kept(api.name) })
  return api
}

export const routeConflict = <T>(key: () => ApiKey, work: Promise<T>): Promise<T> =>
  inWords(work, {
    api_route_method_key: (cause) => {
      const { route, method } = key()
      const detail = `${httpMethodLabels[method as HttpMethod]} ${route}`
      return new AppError(errors.duplicate, { msg: phrase('接口已存在'), detail, field: 'route', cause })
    },
  })
