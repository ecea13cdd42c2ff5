/** Roles: menu entries by their path, APIs by their route. The administrator's role holds everything and names none. */
import { HttpMethod, httpMethodLabels } from '@ithings/contract/endpoint.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import {
  createRole,
  deleteRole,
  listRoles,
  updateRole,
  updateRoleApis,
  updateRoleMenus,
} from '@ithings/contract/features/roles.ts'
import { BuiltInRole, EnabledStatus } from '@ithings/contract/features/users.ts'
import { phrase } from '@ithings/contract/text.ts'
import { oneOf, text } from '@ithings/contract/wire.ts'
import * as z from 'zod'
import type { Scope } from '../plans-deps.ts'
import { isSame } from '../same.ts'
import type { Kind, Spec } from './kind.ts'
import { loadMenus } from './menu-paths.ts'
import { readSpec } from './read-spec.ts'

const schema = z.object({
  remark: text(256).default(''),
  status: oneOf(EnabledStatus).default(EnabledStatus.enabled),
  secondFactor: z.boolean().default(false),
  menus: z.array(text(512, 1)).max(2_000).optional(),
  apis: z.array(text(300, 1)).max(5_000).optional(),
})
type RoleSpec = z.output<typeof schema>

const inOrder = (texts: string[]): string[] => [...new Set(texts)].sort()

const apiText = ({ route, method }: { route: string; method: number }): string =>
  method === HttpMethod.post ? route : `${httpMethodLabels[method as HttpMethod]} ${route}`

function apiOf(given: string): { route: string; method: HttpMethod } {
  const [, verb, route] = /^([A-Z]+) +(\S+)$/.exec(given) ?? []
  if (!route) return { route: given, method: HttpMethod.post }
  const found = Object.entries(httpMethodLabels).find(([, label]) => label === verb)
  if (!found)
    throw new AppError(errors.parameter, { detail: phrase('没有请求方式「{verb}」', { verb }), field: 'apis' })
  return { route, method: Number(found[0]) as HttpMethod }
}

async function write({ ask, db }: Scope, id: number, spec: RoleSpec, before: RoleSpec): Promise<void> {
  if (spec.menus && !isSame(spec.menus, before.menus ?? [])) {
    const menus = await loadMenus(db)
    await ask(updateRoleMenus, { id, menuID: spec.menus.map(menus.idOf) })
  }
  if (spec.apis && !isSame(spec.apis, before.apis ?? []))
    await ask(updateRoleApis, { roleID: id, list: spec.apis.map(apiOf) })
}

const settingsOf = ({ remark, status, secondFactor }: RoleSpec) => ({ remark, status, secondFactor })

export const roleKind: Kind = {
  kind: 'role',
  seenBy: () => ({ endpoint: listRoles, body: {} }),
  async load(db) {
    const menus = await loadMenus(db)
    const roles = await db.selectFrom('role').selectAll().orderBy('name').execute()
    const held = await db.selectFrom('role_menu').selectAll().execute()
    const apis = await db.selectFrom('role_api').selectAll().execute()
    return roles.map(({ id, name, remark, status, second_factor: secondFactor }) => {
      const own = held.filter(({ role_id }) => role_id === id).map(({ menu_id }) => menu_id)
      const spec: RoleSpec = { remark, status: status as EnabledStatus, secondFactor }
      if (id === BuiltInRole.admin) return { name, id, spec }
      const routes = apis.filter(({ role_id }) => role_id === id).map(apiText)
      return { name, id, spec: { ...spec, menus: inOrder(menus.withParents(own)), apis: inOrder(routes) } }
    })
  },
  async read(db, given, before) {
    const { menus, apis, ...rest } = readSpec(schema, given)
    if (before && !('menus' in before)) return { ...rest, ...(menus && { menus }), ...(apis && { apis }) }
    const all = await loadMenus(db)
    return {
      ...rest,
      menus: inOrder(all.complete(menus ?? [])),
      apis: inOrder((apis ?? []).map((api) => apiText(apiOf(api)))),
    }
  },
  async create(scope, name, spec: Spec) {
    const wanted = spec as RoleSpec
    const { id } = await scope.ask(createRole, { name, ...settingsOf(wanted) })
    await write(scope, id, wanted, { ...wanted, menus: [], apis: [] })
  },
  async update(scope, { id, spec: before }, spec) {
    const [wanted, stands] = [spec as RoleSpec, before as RoleSpec]
    if (!isSame(settingsOf(wanted), settingsOf(stands))) await scope.ask(updateRole, { id, ...settingsOf(wanted) })
    await write(scope, id, wanted, stands)
  },
  async remove({ ask }, { id }) {
    await ask(deleteRole, { id })
  },
}
