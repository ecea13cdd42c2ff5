import { listUsers } from '@ithings/contract/features/users.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'

let world: World
const people = [
  { userName: 'anna_one', nickName: '安娜', phone: '13800000001', email: 'anna@example.com', role: 2 },
  { userName: 'bernd_two', nickName: '本德', phone: '13800000002', email: 'bernd@example.org', role: 3 },
  { userName: 'chloe-three', nickName: '安可', phone: '13900000003', email: 'chloe@example.com', role: 3, status: 2 },
] as const

beforeAll(async () => {
  world = await openWorld()
  for (const person of people) await makeUser(world, person)
  await world.signIn('bernd_two', 'Secret-123')
})
afterAll(() => world.close())

type Filter = Parameters<typeof world.asAdmin<typeof listUsers>>[1]
async function names(filter: Filter | object): Promise<string[]> {
  const { data } = await world.call(listUsers, filter, { token: world.admin })
  expect(data.total).toBe(data.list.length)
  return data.list.map((user) => user.userName)
}

describe('filters', () => {
  test('without a filter everybody is listed in the order of creation', async () => {
    expect(await names({})).toEqual(['administrator', 'anna_one', 'bernd_two', 'chloe-three'])
  })

  test.each([
    [{ userName: 'B' }, ['bernd_two']],
    [{ userName: '_' }, ['anna_one', 'bernd_two']],
    [{ userName: '%' }, []],
    [{ nickName: '安' }, ['anna_one', 'chloe-three']],
    [{ phone: '138' }, ['anna_one', 'bernd_two']],
    [{ email: 'EXAMPLE.COM' }, ['anna_one', 'chloe-three']],
    [{ role: 3 }, ['bernd_two', 'chloe-three']],
    [{ role: '2' }, ['anna_one']],
    [{ status: 2 }, ['chloe-three']],
    [{ status: '1', role: 3 }, ['bernd_two']],
    [{ email: 'example.com', nickName: '可' }, ['chloe-three']],
  ])('%j finds %j', async (filter, expected) => {
    expect(await names(filter)).toEqual(expected)
  })

  test('empty text, 0, null and unknown keys filter nothing', async () => {
    const filter = { userName: ' ', phone: '', email: null, role: 0, status: 0, current: 1, keyword: 'x' }
    expect(await names(filter)).toHaveLength(4)
  })
})

describe('order', () => {
  test.each([
    ['userID', ['administrator', 'anna_one', 'bernd_two', 'chloe-three']],
    ['userName', ['administrator', 'anna_one', 'bernd_two', 'chloe-three']],
    ['createdTime', ['administrator', 'anna_one', 'bernd_two', 'chloe-three']],
    ['role', ['administrator', 'anna_one', 'bernd_two', 'chloe-three']],
    ['status', ['administrator', 'anna_one', 'bernd_two', 'chloe-three']],
  ])('%s sorts upwards and downwards', async (field, upwards) => {
    expect(await names({ page: { orders: [{ field, sort: 1 }] } })).toEqual(upwards)
    const [first] = await names({ page: { orders: [{ field, sort: 2 }] } })
    expect(first).toBe(field === 'role' ? 'bernd_two' : 'chloe-three')
  })

  test('nickName and lastLoginTime sort as well', async () => {
    const nick = await names({ role: 3, page: { orders: [{ field: 'nickName', sort: 1 }] } })
    const back = await names({ role: 3, page: { orders: [{ field: 'nickName', sort: '2' }] } })
    expect(back).toEqual(nick.toReversed())
    const [first] = await names({ page: { orders: [{ field: 'lastLoginTime', sort: 1 }] } })
    expect(first).toBe('administrator')
  })

  test('a second order decides among equals', async () => {
    const orders = [
      { field: 'role', sort: 1 },
      { field: 'userName', sort: 2 },
    ]
    expect(await names({ page: { orders } })).toEqual(['administrator', 'anna_one', 'chloe-three', 'bernd_two'])
  })

  test('a field that cannot be sorted by is refused with 100006', async () => {
    for (const field of ['password_hash', 'constructor', '']) {
      const refused = await world.call(listUsers, { page: { orders: [{ field }] } }, { token: world.admin })
      expect(refused).toMatchObject({ status: 400, code: 100006 })
    }
  })
})

describe('pages', () => {
  const page = async (input: unknown) => {
    const { data } = await world.call(listUsers, { page: input }, { token: world.admin })
    return { total: data.total, names: data.list.map((user) => user.userName) }
  }

  test('a page holds its size and the total is the true one', async () => {
    expect(await page({ page: 2, size: 3 })).toEqual({ total: 4, names: ['chloe-three'] })
    expect(await page({ page: '1', size: '2' })).toEqual({ total: 4, names: ['administrator', 'anna_one'] })
  })

  test('spec 5: the page is clamped to 1 and to the last page, the size to at least 1', async () => {
    expect((await page({ page: 0, size: 3 })).names).toEqual(['administrator', 'anna_one', 'bernd_two'])
    expect((await page({ page: -7, size: 3 })).names).toHaveLength(3)
    expect((await page({ page: 99, size: 3 })).names).toEqual(['chloe-three'])
    expect((await page({ page: 1, size: -5 })).names).toEqual(['administrator'])
  })

  test('without a size, with 0 and with the public console’s 9999999 everybody fits', async () => {
    for (const input of [undefined, null, {}, { page: 1, size: 0 }, { page: 1, size: 9_999_999 }]) {
      expect((await page(input)).names).toHaveLength(4)
    }
  })
})
