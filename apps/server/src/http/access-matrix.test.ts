/**
 * Every endpoint of the contract for every kind of caller. The body is no object, which no endpoint takes: who is let in
 * is told so, and nothing is done. A refusal before that shows that the door is asked before the body is looked at.
 */
import { allEndpoints } from '@ithings/contract/all-endpoints.ts'
import type { Endpoint } from '@ithings/contract/endpoint.ts'
import { refusedPaths } from '@ithings/contract/features/enterprise.ts'
import { updateRoleApis } from '@ithings/contract/features/roles.ts'
import { backChannelPath } from '@ithings/contract/features/sign-on.ts'
import { BuiltInRole, logout } from '@ithings/contract/features/users.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { roleSeeds } from '#features/apis/built-in-roles.ts'
import { apiKeys, makeRole, makeSignedIn } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'

const letIn = 'let in'
const noToken = '401 1000007'
const malformed = '401 100004'
const invalid = '401 100005'
const noRight = '403 100012'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

async function knock(endpoint: Endpoint, token?: string): Promise<string> {
  const { status, code } = await world.call(endpoint, '[]', { token })
  // It has words of its own for what is wrong, and no codes.
  if (endpoint.asPrometheus) return status === 400 ? letIn : String(status)
  const refusal = endpoint.multipart ? 100014 : 100006
  return status === 400 && code === refusal ? letIn : `${status} ${code}`
}

/** What answers as Prometheus does has the status only. */
const asSaidBy = ({ asPrometheus }: Endpoint, answer: string): string =>
  asPrometheus ? answer.replace(/ \d+$/, '') : answer

/** What each endpoint answers, beside what it should answer; both by path, so that a difference is named. */
async function expectAnswers(token: string | undefined, expected: (endpoint: Endpoint) => string): Promise<void> {
  const answers: Record<string, string> = {}
  for (const endpoint of allEndpoints) answers[endpoint.path] = await knock(endpoint, token)
  const said = (endpoint: Endpoint) => asSaidBy(endpoint, expected(endpoint))
  expect(answers).toEqual(Object.fromEntries(allEndpoints.map((endpoint) => [endpoint.path, said(endpoint)])))
}

/** A token that is none is refused everywhere but where nobody needs one. */
const unlessPublic =
  (refusal: string) =>
  ({ access }: Endpoint): string =>
    access === 'public' ? letIn : refusal

/** A signed-in caller is let in where no right is needed, otherwise by the rights of the role. */
const whoHolds =
  (holds: (endpoint: Endpoint) => boolean) =>
  (endpoint: Endpoint): string =>
    endpoint.access !== 'role' || holds(endpoint) ? letIn : noRight

test('without a token', () => expectAnswers(undefined, unlessPublic(noToken)))

test('with a token that is none', () => expectAnswers('garbage', unlessPublic(malformed)))

test('with the token of a session that was signed out', async () => {
  const { token } = await makeSignedIn(world, { role: BuiltInRole.admin })
  await world.call(logout, {}, { token })
  await expectAnswers(token, unlessPublic(invalid))
})

test('as administrator', () => expectAnswers(world.admin, () => letIn))

test.each(roleSeeds)(
  'as the built-in role $role, which has the rights that it was born with',
  async ({ role, holds }) => {
    const { token } = await makeSignedIn(world, { role })
    await expectAnswers(token, whoHolds(holds))
  },
)

test('as a role without any API', async () => {
  const { token } = await makeSignedIn(world, { role: await makeRole(world) })
  await expectAnswers(
    token,
    whoHolds(() => false),
  )
})

test('a role with exactly one API is let in there and refused at another', async () => {
  const roleID = await makeRole(world)
  const { token } = await makeSignedIn(world, { role: roleID })
  const checked = allEndpoints.filter(({ access }) => access === 'role')
  for (const [i, endpoint] of checked.entries()) {
    const other = checked.at(i - 1) ?? endpoint
    await world.asAdmin(updateRoleApis, { roleID, list: apiKeys([endpoint]) })
    expect([await knock(endpoint, token), await knock(other, token)], endpoint.path).toEqual([
      letIn,
      asSaidBy(other, noRight),
    ])
  }
})

/** Methods and paths as the server itself lists them, as a tree of parts. */
function mountedRoutes(): string[] {
  const tree = world.app.http.printRoutes({ commonPrefix: false })
  const parts: string[] = []
  return [...tree.matchAll(/^([ │]*)[├└]── (\S+)(?: \((.+)\))?$/gm)].flatMap(([, indent = '', part = '', methods]) => {
    parts.splice(indent.length / 4, Number.POSITIVE_INFINITY, part)
    return (methods?.split(', ') ?? []).map((method) => `${method} ${parts.join('')}`)
  })
}

test('nothing that changes something is mounted beside the contract, but uploads, queries, assistants and notices of providers, which have doors of their own', () => {
  const ofContract = new Set(
    [...allEndpoints.map(({ path }) => path), ...refusedPaths.keys()].map((path) => `POST ${path}`),
  )
  const routes = mountedRoutes()
  expect(routes).toEqual(expect.arrayContaining([...ofContract]))
  const beside = routes.filter((route) => !/^(GET|HEAD) /.test(route) && !ofContract.has(route))
  // PUT is for signed links; the tree leaves out what stands before a star.
  const resumable = '/api/v1/system/common/upload-resumable'
  // Chart tools ask by forms, too.
  const asked = ['query', 'query_range', 'labels', 'label/:name/values', 'series', 'metadata', 'status/buildinfo']
  const prom = asked.flatMap((end) => [`POST /api/v1/prom/${end}`, `POST /api/v1/prom/api/v1/${end}`])
  // A provider signs what it tells.
  const told = `POST ${backChannelPath}/:key`
  expect(beside).toContain(told)
  expect(beside.filter((route) => !route.includes('/prom/') && route !== told)).toEqual([
    `POST ${resumable}`,
    `PATCH ${resumable}/:id`,
    `DELETE ${resumable}/:id`,
    'PUT /*',
    // Its tools are endpoints, judged as such (features/assistant).
    'POST /api/v1/mcp',
  ])
  expect(beside.filter((route) => route.includes('/prom/')).toSorted()).toEqual(
    prom.filter((route) => !ofContract.has(route)).toSorted(),
  )
})
