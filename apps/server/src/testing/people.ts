/** Roles and users for room tests, made through the API like everybody makes them. */
import { type Endpoint, HttpMethod } from '@ithings/contract/endpoint.ts'
import { createRole, updateRoleApis } from '@ithings/contract/features/roles.ts'
import { createUser, type createUserBody } from '@ithings/contract/features/users.ts'
import { expect } from 'vitest'
import type * as z from 'zod'
import type { World } from './world.ts'

export const testPassword = 'Secret-123'

let made = 0
let madeFor: string | undefined
/**
 * Ends in a number that no other call of this test file got. Files that share a worker share this module: each counts
 * from one, so that its names are the same whatever ran before it.
 */
export function uniqueText(start: string): string {
  const { testPath } = expect.getState()
  if (testPath !== madeFor) {
    madeFor = testPath
    made = 0
  }
  return `${start}${++made}`
}

export interface Person {
  userID: number
  userName: string
  password: string
}

export async function makeUser(world: World, fields: Partial<z.input<typeof createUserBody>> = {}): Promise<Person> {
  const userName = fields.userName ?? uniqueText('tester')
  const { userID } = await world.asAdmin(createUser, { role: 3, password: testPassword, ...fields, userName })
  return { userID: Number(userID), userName, password: fields.password ?? testPassword }
}

/** A user who is signed in already. */
export async function makeSignedIn(world: World, fields: Parameters<typeof makeUser>[1] = {}) {
  const person = await makeUser(world, fields)
  return { ...person, token: await world.signIn(person.userName, person.password) }
}

export const apiKeys = (endpoints: readonly Endpoint[]) =>
  endpoints.map(({ path }) => ({ route: path, method: HttpMethod.post }))

/** A role that may call exactly these endpoints. */
export async function makeRole(world: World, endpoints: readonly Endpoint[] = []): Promise<number> {
  const { id } = await world.asAdmin(createRole, { name: uniqueText('角色') })
  await world.asAdmin(updateRoleApis, { roleID: id, list: apiKeys(endpoints) })
  return id
}
